"""Tools of language models, by the Model Context Protocol: `tools` says what they do, `server` serves them."""
