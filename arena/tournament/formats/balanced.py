"""The balanced round robin: every pair of entries meets equally often, with few tables.

That is a block design (`arena.tournament.designs`): entries are points, tables are blocks.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import count, islice
from math import comb
from typing import NamedTuple

from arena.tournament.designs.composed import Blocks
from arena.tournament.designs.search import MOST_MULTIPLES, build, possible, step, summands
from arena.tournament.formats.complete import complete
from arena.tournament.formats.table import Table


class Design(NamedTuple):
    """Tables at which every pair of entries meets equally often."""

    tables: Callable[[], Iterator[Table]]
    """All of them, from the first, made one by one. Any beginning of them takes all entries about equally often."""
    size: int
    """How many tables."""
    meetings: int
    """How often every pair meets."""
    per_entry: int
    """At how many tables each entry sits."""


@lru_cache(256)
def balanced(entries: int, places: int, meetings: int) -> Design:
    """The design with the fewest tables that was found, in which every pair meets at least so often.

    `places` is at least 2, `meetings` at least 1. No tables where there are too few entries. The search spends a fixed
    number of steps, so the same design is found everywhere.
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
    """So many tables at least: what divisibility and Fisher's inequality demand where every pair is to meet equally
    often, at least so many times. Not always is there a design with so few."""
    return _size(entries, places, next(_possible(entries, places, meetings))) if entries >= places else 0


def _candidates(entries: int, places: int, meetings: int) -> list[int]:
    near = islice(_possible(entries, places, meetings), MOST_MULTIPLES)
    return sorted({*near, *(-(-meetings // part) * part for part in summands(entries, places))})


def _possible(entries: int, places: int, meetings: int) -> Iterator[int]:
    """From `meetings` on, how often all pairs may meet as far as is easily told."""
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
