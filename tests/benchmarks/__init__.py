"""The benchmarks run and label their figures correctly; no test depends on speed."""
