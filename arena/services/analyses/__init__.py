"""Analyses of matches: requests, results, and points that bots lost."""
