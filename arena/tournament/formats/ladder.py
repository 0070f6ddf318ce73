"""Ladder: an endless league that always plays the most informative tables.

A table is built around one bot. Owners take turns to name it, so an owner of ten bots gets no more tables than an owner
of one. Among an owner's bots the least known is next: the one with the highest sigma divided by one plus the number of
tables it waits for. That alone could starve other bots, because the sigma of a bot that always loses may never shrink;
so a bot that has played less than an eighth as often as another of the same owner goes first.

The other places are filled one by one, each by the bot with the highest value at the table. The value of a candidate
is q s / ((1 + w) (1 + r)): q is the match quality of the table with it, which is highest among equals; s its sigma,
because tables of well-known bots show little; w the number of tables it waits for; and r how many more times it has met
the first bot than that bot's least frequent opponent has.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.tournament.formats.base import Met, Table

NAME: Final = "ladder"
TITLE: Final = "Ladder"
SUMMARY: Final = "An endless league that always plays the most informative tables."

WAITING: Final = 32
"""Number of tables created in advance: enough for many workers, few enough that new bots are seated soon."""
BEHIND: Final = 8
"""A bot goes first if another of its owner has played more than this many times as many tables."""
CONSIDERED: Final = 40
"""Number of bots of similar strength that are considered for a place; in a large field the others rarely fit."""

Quality = Callable[[Sequence[int]], float]
"""Returns how open a table of these entries is, from 0 to 1 (`arena.ratings.quality`)."""


@dataclass(frozen=True)
class Candidate:
    """A bot that may be seated."""

    entry: int
    owner: int
    mu: float
    sigma: float
    tables: int
    """Number of tables played."""
    waiting: int
    """Number of tables created for it but not played yet."""


def wanted(unsettled: int) -> int:
    """Return the number of tables to create now: none while more than half of `WAITING` are unsettled."""
    return 0 if unsettled > WAITING // 2 else WAITING - unsettled


def tables(
    candidates: Sequence[Candidate], places: int, wanted: int, met: Met, quality: Quality, turn: int = 0
) -> list[Table]:
    """Return the next `wanted` tables; none with fewer candidates than places.

    `turn` is the number of tables created before, which decides whose turn it is. Equal arguments give equal tables.
    """
    if len(candidates) < places:
        return []
    draw = _Draw(candidates, met, quality)
    owners = sorted({one.owner for one in candidates})
    return [draw.table(owners[number % len(owners)], places) for number in range(turn, turn + wanted)]


class _Draw:
    """State of a draw: each table changes how many tables bots wait for and how often they have met."""

    def __init__(self, candidates: Sequence[Candidate], met: Met, quality: Quality) -> None:
        self.candidates = sorted(candidates, key=lambda one: one.entry)
        self.waiting = {one.entry: one.waiting for one in candidates}
        self.met = Counter(met)
        self.quality = quality

    def table(self, owner: int, places: int) -> Table:
        first = self._first([one for one in self.candidates if one.owner == owner])
        table = [first.entry]
        others = [one for one in self.candidates if one.entry != first.entry]
        near = sorted(others, key=lambda one: (abs(one.mu - first.mu), one.entry))[: max(CONSIDERED, places)]
        least = min((self._meetings(first.entry, one.entry) for one in near), default=0)
        for _ in range(places - 1):
            best = max(near, key=lambda one: (self._value(table, one, least), -one.entry))
            near.remove(best)
            table.append(best.entry)
        self._seat(table)
        return tuple(sorted(table))

    def _first(self, own: Sequence[Candidate]) -> Candidate:
        played = {one.entry: one.tables + self.waiting[one.entry] for one in own}
        behind = [one for one in own if BEHIND * played[one.entry] < max(played.values())]
        if behind:
            return min(behind, key=lambda one: (played[one.entry], one.entry))
        return max(own, key=lambda one: (one.sigma / (1 + self.waiting[one.entry]), -one.entry))

    def _value(self, table: Sequence[int], one: Candidate, least: int) -> float:
        repeats = self._meetings(table[0], one.entry) - least
        value = self.quality([*table, one.entry]) * one.sigma
        return value / ((1 + self.waiting[one.entry]) * (1 + repeats))

    def _meetings(self, one: int, other: int) -> int:
        return self.met[min(one, other), max(one, other)]

    def _seat(self, table: Sequence[int]) -> None:
        for entry in table:
            self.waiting[entry] += 1
        self.met.update((one, other) for one in table for other in table if one < other)
