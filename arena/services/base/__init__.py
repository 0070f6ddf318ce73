"""Base of all services: the context of a transaction, access, names, repertoires, states, texts and times."""
