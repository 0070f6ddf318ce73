"""Invariants over random histories."""
