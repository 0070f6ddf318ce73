"""``arena models``: language models at an arena's tables, through any server with the chat-completions form."""
