"""Several hosts on one machine: a tournament on them, and everything that happens to hosts."""
