"""Formats: plans of tournaments, the formats that carry them out, entrants, and costs."""
