"""Gauntlet: the first entry meets each of the others.

With two places the first entry plays every other entry once per round. With more places it sits at every table, and the
others fill the remaining places in turn. Each pass through the others starts one entry later than the pass before, so
that their company changes. After any number of tables, two of them differ by at most one table.
"""

from collections.abc import Iterator
from typing import Final

from arena.tournament.formats.base import Cost, StageSize, Table
from arena.words import N_

NAME: Final = "gauntlet"
TITLE: Final = N_("Gauntlet")
SUMMARY: Final = N_("One bot meets each of the others. For measuring one bot against a field.")


def tables(entries: int, places: int, rounds: int = 1) -> Iterator[Table]:
    """Yield the tables of `rounds` rounds; none with fewer entries than places.

    The first entry meets each of the others `rounds` times, and some of them once more if the last table has places
    left.
    """
    if entries < places:
        return
    others = entries - 1
    for first in range(0, size(entries, places, rounds) * (places - 1), places - 1):
        seats = range(first, first + places - 1)
        yield (0, *sorted(1 + (seat + seat // others) % others for seat in seats))


def size(entries: int, places: int, rounds: int = 1) -> int:
    """Return the number of tables that `tables` yields."""
    return -(-rounds * (entries - 1) // (places - 1)) if entries >= places else 0


def cost(entries: int, places: int, rounds: int = 1) -> Cost:
    """Return the cost of a gauntlet. Tables per bot differ: the first entry sits at all of them."""
    return Cost((StageSize(size(entries, places, rounds)),))
