"""Work: playing tables, validating uploads, the sweep, and the check of all invariants."""
