"""Live tables, at which people play with bots: opened and moved at by pages, played by a host."""
