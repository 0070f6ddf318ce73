"""The benchmarks run; how fast they find things is nobody's business here."""
