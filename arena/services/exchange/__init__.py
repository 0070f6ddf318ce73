"""Exports of results as files, and their import into another arena."""
