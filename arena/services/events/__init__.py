"""The log of events."""
