"""Formats, seatings and standings. Pure: numbers in, numbers out; no rows, no clock, no chance."""
