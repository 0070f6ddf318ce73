"""Balanced round robin: every pair of entries meets equally often, at few tables.

The tables are the blocks of a block design whose points are the entries (`arena.tournament.designs`).
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import count, islice
from math import comb
from typing import Final, NamedTuple

from arena.tournament.designs.composed import Blocks
from arena.tournament.designs.search import MOST_MULTIPLES, build, possible, step, summands
from arena.tournament.formats.base import Cost, StageSize, Table
from arena.tournament.formats.round_robin import tables as complete
from arena.words import N_

NAME: Final = "balanced"
TITLE: Final = N_("Balanced round robin")
SUMMARY: Final = N_("Every pair of bots meets equally often, at as few tables as can be found.")
MOST_ENTRIES: Final = 300
"""Largest field for which designs are searched."""


class Design(NamedTuple):
    """Tables at which every pair of entries meets equally often."""

    tables: Callable[[], Iterator[Table]]
    """Returns a lazy iterator over all tables. In any prefix all entries have sat about equally often."""
    size: int
    """Number of tables."""
    meetings: int
    """Number of meetings of each pair."""
    per_entry: int
    """Number of tables of each entry."""


def tables(entries: int, places: int, meetings: int) -> Iterator[Table]:
    """Yield the tables of the design that `balanced` finds."""
    return balanced(entries, places, meetings).tables()


def cost(entries: int, places: int, meetings: int) -> Cost:
    """Return the cost of a balanced round robin of at least `places` entries."""
    design = balanced(entries, places, meetings)
    least = fewest(entries, places, meetings)
    return Cost((StageSize(design.size),), per_bot=design.per_entry, meetings=design.meetings, fewest=least)


@lru_cache(256)
def balanced(entries: int, places: int, meetings: int) -> Design:
    """Find the design with the fewest tables in which every pair meets at least `meetings` times.

    `places` is at least 2 and `meetings` at least 1. With too few entries the design has no tables. The search takes a
    fixed number of steps, so every machine finds the same design.
    """
    if entries < places:
        return Design(lambda: iter(()), 0, 0, 0)
    for often in _candidates(entries, places, meetings):
        blocks = build(entries, places, often)
        if blocks:
            return _design(partial(_tables, blocks), entries, places, often)
    each = comb(entries - 2, places - 2)
    rounds = -(-meetings // each)
    return _design(partial(complete, entries, places, rounds), entries, places, rounds * each)


def fewest(entries: int, places: int, meetings: int) -> int:
    """Return a lower bound on the number of tables at which every pair meets equally often, `meetings` times or more.

    It follows from divisibility and Fisher's inequality; a design that small does not always exist.
    """
    return _size(entries, places, next(_possible(entries, places, meetings))) if entries >= places else 0


def _candidates(entries: int, places: int, meetings: int) -> list[int]:
    near = islice(_possible(entries, places, meetings), MOST_MULTIPLES)
    return sorted({*near, *(-(-meetings // part) * part for part in summands(entries, places))})


def _possible(entries: int, places: int, meetings: int) -> Iterator[int]:
    """Yield the numbers of meetings, from `meetings` up, that no simple condition rules out."""
    unit = step(entries, places)
    multiples = count(-(-meetings // unit) * unit, unit)
    return (often for often in multiples if possible(entries, places, often))


def _tables(blocks: Blocks) -> Iterator[Table]:
    return (tuple(sorted(block)) for block in blocks())


def _design(tables: Callable[[], Iterator[Table]], entries: int, places: int, meetings: int) -> Design:
    size = _size(entries, places, meetings)
    return Design(tables, size, meetings, size * places // entries)


def _size(entries: int, places: int, meetings: int) -> int:
    return meetings * entries * (entries - 1) // (places * (places - 1))
