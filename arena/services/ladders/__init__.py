"""Ladders: the continuous league of each variant, and its page."""
