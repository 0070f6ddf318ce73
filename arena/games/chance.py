"""From one secret seed to every board and every bot's generator.

    seed (32 bytes) ── table number ──> table seed ── board number ──> generator that draws the board
                                            └── match, seat ──> the seed of that bot's own generator

Each arrow is SHA-256 over the parent and labels, so that nobody can walk back, and whoever holds the tournament's seed
can derive every board again. The commitment is the hash of the seed: published before the first table.
"""

import hashlib
from random import Random
from typing import Final

SEED_BYTES: Final = 32


def commitment(seed: bytes) -> str:
    """The hash, in hexadecimal, that is published before a tournament's first table."""
    return hashlib.sha256(b"arena-commitment/1" + seed).hexdigest()


def derive(seed: bytes, *labels: str | int) -> bytes:
    """The child seed of `seed` for these labels."""
    return hashlib.sha256(b"\0".join([b"arena-seed/1", seed, *(str(label).encode() for label in labels)])).digest()


def table_seed(seed: bytes, number: int) -> bytes:
    """The seed of a tournament's table number `number` (0-based)."""
    return derive(seed, "table", number)


def board_rng(table: bytes, index: int) -> Random:
    """The generator that draws board number `index` of a table. All matches of a table share it: duplicate boards."""
    return Random(int.from_bytes(derive(table, "board", index)))


def set_rng(table: bytes, index: int, board_set: int, sets: int) -> Random:
    """The generator of board number `index` of a match on one of `sets` sets of boards: they take turns at the boards.

    So a match that needs more boards than another takes none from the next set.
    """
    return board_rng(table, index * sets + board_set)


def bot_seed(table: bytes, match: int, seat: int) -> int:
    """The seed, below 2**53, of the generator that the bot at `seat` finds in `self.rng` in match number `match`."""
    return int.from_bytes(derive(table, "bot", match, seat)) >> (256 - 53)
