"""Golden records: one match of random moves per variant, which must never change."""

from pathlib import Path
from typing import Final

from arena.cli.random_records import random_match
from arena.games.registry import rules_of
from arena.match.record import encode

FOLDER: Final = Path(__file__).parent
COMMAND: Final = "python -m tests.golden"
"""Command that records the variants given as arguments."""


def path(variant: str) -> Path:
    """Return the file of a variant's golden record."""
    return FOLDER / f"{variant}.json"


def record(variant: str) -> bytes:
    """Play a variant's golden match and return its encoded record."""
    return encode(random_match(rules_of(variant), bytes(32)))
