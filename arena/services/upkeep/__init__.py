"""Upkeep: backups, moves between databases, and the disposal of data that nobody needs."""
