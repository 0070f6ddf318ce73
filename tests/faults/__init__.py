"""Tests that injected faults cost time, and nothing else."""

from typing import Final

AHEAD: Final = 2 * 3600
"""Seconds by which a wrong clock is ahead."""
HURRY: Final = "hurry"
"""File in the home folder of slow workers that makes them quick."""
