"""Block designs: sets of blocks in which every pair of points lies equally often. Pure, deterministic, lazy.

A (v, k, λ) design has v points, blocks of k points, and every pair of points in exactly λ blocks. What is said of them
here is in the Handbook of Combinatorial Designs (Colbourn and Dinitz, 2nd edition, 2007), parts II, III and VI.
"""
