"""Bots: uploads and versions, the house bots, and the pages about them."""
