"""Derivation of every board and every bot's generator from one secret seed.

    seed (32 bytes) ── table number ──> table seed ── board number ──> generator that draws the board
                                            ├── match, seat ──> the seed of that bot's own generator
                                            └── "places" ──> generator that shuffles the table's bots

Each arrow is SHA-256 over the parent and labels, so a child does not reveal its parent, and anyone with the
tournament's seed can derive every board again. The hash of the seed is published before the first table.
"""

import hashlib
from random import Random
from typing import Final

SEED_BYTES: Final = 32


def commitment(seed: bytes) -> str:
    """Return the hash, in hexadecimal, that is published before a tournament's first table."""
    return hashlib.sha256(b"arena-commitment/1" + seed).hexdigest()


def derive(seed: bytes, *labels: str | int) -> bytes:
    """Return the child seed of `seed` for these labels."""
    return hashlib.sha256(b"\0".join([b"arena-seed/1", seed, *(str(label).encode() for label in labels)])).digest()


def table_seed(seed: bytes, number: int) -> bytes:
    """Return the seed of a tournament's table number `number` (0-based)."""
    return derive(seed, "table", number)


def board_rng(table: bytes, index: int) -> Random:
    """Return the generator that draws board number `index` of a table. All matches of the table share its boards."""
    return Random(int.from_bytes(derive(table, "board", index)))


def set_rng(table: bytes, index: int, board_set: int, sets: int) -> Random:
    """Return the generator of board number `index` of a match, if a table has several sets of boards.

    The sets take turns at the boards, so a match that needs more boards than another takes none from the next set.
    """
    return board_rng(table, index * sets + board_set)


def places_rng(table: bytes) -> Random:
    """Return the generator that shuffles the bots of a table before they take their places."""
    return Random(int.from_bytes(derive(table, "places")))


def bot_seed(table: bytes, match: int, seat: int) -> int:
    """Return the seed (below 2**53) of `self.rng` for the bot at `seat` in match number `match`."""
    return int.from_bytes(derive(table, "bot", match, seat)) >> (256 - 53)
