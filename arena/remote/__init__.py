"""The client: commands against an arena on another machine, through its API. It needs none of the server's parts."""
