"""Formats, tables, seatings, standings and statistics. Pure: no database, clock or randomness."""
