"""Ratings: the fold, its parameters, estimates and audit, tallies and strengths, and the pages about them."""
