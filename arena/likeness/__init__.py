"""Likeness of bots, by their programs and by their decisions: pure statistics for a report to organisers.

`programs` turns source into fingerprints, `sources` finds pairs of programs that share them, and `decisions` finds
pairs of bots that decide alike. Nothing here says why two bots are alike.
"""
