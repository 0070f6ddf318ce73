"""Ladder: a league without end that always plays the tables that are worth most.

A table is made around one bot. Owners take turns at naming it, so whoever has ten bots gets no more tables than
somebody with one. Of an owner's bots the one comes that is known least: the highest sigma, divided by how many tables
it waits for. That alone could starve the others, where nothing shrinks the sigma of a bot that always loses; so one
that has played less than an eighth as much as another of the same owner comes before all.

The other places are filled one by one, each by the bot with which the table is worth most. The worth of a candidate is
q s / ((1 + w) (1 + r)): q is the match quality of the table with it, which is highest between equals; s its sigma,
because little is learnt of a bot that is known; w the number of tables that it waits for; and r how much oftener than
its least frequent opponent the first bot has met it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.tournament.formats.table import Table

BEHIND: Final = 8
"""A bot that has played so many times less than another of its owner is the next."""
CONSIDERED: Final = 40
"""So many bots of like strength are looked at for a place: in a large field the others are hardly worth a look."""

Quality = Callable[[Sequence[int]], float]
"""How open a table of these entries is, 0 to 1 (`arena.ratings.quality`)."""


@dataclass(frozen=True)
class Candidate:
    """A bot that may be seated."""

    entry: int
    owner: int
    mu: float
    sigma: float
    tables: int
    """How many it has played."""
    waiting: int
    """How many are made for it and not played yet."""


def ladder(
    candidates: Sequence[Candidate],
    places: int,
    wanted: int,
    met: Mapping[tuple[int, int], int],
    quality: Quality,
    turn: int = 0,
) -> list[Table]:
    """The next `wanted` tables; none where there are fewer candidates than places.

    `met` says how often two entries (the smaller first) have met, `turn` how many tables there were before: it is that
    owner's turn. The same arguments give the same tables.
    """
    if len(candidates) < places:
        return []
    draw = _Draw(candidates, met, quality)
    owners = sorted({one.owner for one in candidates})
    return [draw.table(owners[number % len(owners)], places) for number in range(turn, turn + wanted)]


class _Draw:
    """What is known while tables are made: each changes how long bots wait, and whom they have met."""

    def __init__(self, candidates: Sequence[Candidate], met: Mapping[tuple[int, int], int], quality: Quality) -> None:
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
            best = max(near, key=lambda one: (self._worth(table, one, least), -one.entry))
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

    def _worth(self, table: Sequence[int], one: Candidate, least: int) -> float:
        repeats = self._meetings(table[0], one.entry) - least
        worth = self.quality([*table, one.entry]) * one.sigma
        return worth / ((1 + self.waiting[one.entry]) * (1 + repeats))

    def _meetings(self, one: int, other: int) -> int:
        return self.met[min(one, other), max(one, other)]

    def _seat(self, table: Sequence[int]) -> None:
        for entry in table:
            self.waiting[entry] += 1
        self.met.update((one, other) for one in table for other in table if one < other)
