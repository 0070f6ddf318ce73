"""A class of scripted students in a running arena, from the invitation to the grades: `scripts/class --help`."""
