"""Formats, tables, seatings and standings. Pure: no rows, no clock, no chance."""
