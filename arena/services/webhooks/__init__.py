"""Webhooks, and what else follows from events."""
