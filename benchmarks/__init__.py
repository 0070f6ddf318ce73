"""How fast the arena is, measured beside others by `make bench`. A module per subject; see docs/benchmarks.md."""
