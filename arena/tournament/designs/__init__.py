"""Block designs: sets of blocks that contain every pair of points equally often. Pure, deterministic, lazy.

A (v, k, λ) design has v points and blocks of k points, and every pair of points is in exactly λ blocks. Source:
Colbourn and Dinitz, Handbook of Combinatorial Designs, 2nd edition, 2007, parts II, III and VI.

`search.build` is the entry point: it tries difference families (`families`), designs composed of smaller ones
(`composed`), complements, and sums of designs.
"""
