"""Likeness of bots by their programs: pure statistics for a report to organisers.

`programs` turns source into fingerprints, and `sources` finds pairs of programs that share them. Nothing here says why
two bots are alike.
"""
