"""Trials, which members play in the playground: who sees them, their start, their pages, and their disposal."""
