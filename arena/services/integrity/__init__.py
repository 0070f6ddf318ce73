"""Integrity of the stored data: what every row must satisfy, and repairs of what follows from other rows."""
