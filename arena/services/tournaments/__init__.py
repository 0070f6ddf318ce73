"""Tournaments: starts, stages, exits, standings, seeds, and the pages about them."""
