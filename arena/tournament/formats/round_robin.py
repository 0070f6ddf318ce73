"""Complete round robin: every combination of entries meets.

A solitaire variant seats all entries at one table, which each round repeats.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Final

from arena.tournament.formats.base import Cost, StageSize, Table
from arena.tournament.tables import FEWEST
from arena.words import N_

NAME: Final = "round_robin"
TITLE: Final = N_("Round robin")
SUMMARY: Final = N_("Every combination of bots meets at a table. The fairest format, and the most work.")


def tables(entries: int, places: int, rounds: int = 1) -> Iterator[Table]:
    """Yield every combination of `places` entries once per round, round after round; none with too few entries."""
    for _ in range(rounds):
        yield from combinations(range(entries), places)


def size(entries: int, places: int, rounds: int = 1) -> int:
    """Return the number of tables that `tables` yields."""
    return comb(entries, places) * rounds


def cost(entries: int, places: int, rounds: int = 1) -> Cost:
    """Return the cost of a round robin of at least `places` entries."""
    total = size(entries, places, rounds)
    per_bot = total * places // entries
    return Cost((StageSize(total),), per_bot=per_bot, meetings=per_bot * (places - 1) // (entries - 1))


def solitaire_replacements(alive: Sequence[int], rounds: int, settled: int) -> list[Table]:
    """Return the tables to add to a solitaire round robin whose tables were cancelled when an entry was withdrawn.

    `alive` holds the entries still in, and `settled` counts the tables that were played or failed. There are none once
    all rounds are settled, or if too few entries are left to compare.
    """
    return [tuple(alive)] * (rounds - settled) if len(alive) >= FEWEST else []
