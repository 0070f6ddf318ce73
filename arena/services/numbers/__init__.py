"""Numbers: statistics, crosstables, and the home page."""
