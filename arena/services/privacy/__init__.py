"""Privacy: the download of all of a member's data, and the deletion of an account."""
