"""Golden records: one match of random moves per variant, which must never change."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arena.cli.random_records import random_match
from arena.games.registry import rules_of
from arena.learn.records import examples
from arena.match.record import encode, is_of, parse

FOLDER: Final = Path(__file__).parent
COMMAND: Final = "python -m tests.golden"
"""Command that records the variants given as arguments."""


def path(variant: str) -> Path:
    """Return the file of a variant's golden record."""
    return FOLDER / f"{variant}.json"


def record(variant: str) -> bytes:
    """Play a variant's golden match and return its encoded record."""
    return encode(random_match(rules_of(variant), bytes(32)))


def observations(record: Mapping[str, Any]) -> str:
    """Return a hash of what bots that learn get for each decision of a record: arrays, and numbers of actions."""
    columns = [column.astype("<i4").tobytes() for column in examples(record)]
    return hashlib.sha256(b"".join(columns)).hexdigest() + "\n"


def replayed(variant: str) -> bytes:
    """Play a variant's golden match, and return its record in the revision of the one that is kept."""
    rules, kept = rules_of(variant), parse(path(variant).read_bytes())
    assert is_of(kept, rules), f"the options of {variant} no longer keep the rules of its golden record"
    played = random_match(rules, bytes(32))
    options = {name: played["options"][name] for name in kept["options"]}
    return encode({**{name: played[name] for name in kept if name in played}, "options": options})
