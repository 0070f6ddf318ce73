"""Benchmarks of the arena beside other systems, run by `make bench`. One module per subject; see docs/benchmarks.md."""
