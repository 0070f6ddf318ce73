"""Ladder: an endless league that always plays the most informative tables.

A table is built around one bot. Owners take turns to name it, so an owner of ten bots gets no more tables than an owner
of one. Among an owner's bots the least known is next: the one with the highest sigma divided by one plus the number of
tables it waits for. That alone could starve other bots, because the sigma of a bot that always loses may never shrink;
so a bot that has played less than an eighth as often as another of the same owner goes first.

The other places are filled one by one, each by the bot with the highest value at the table. The value of a candidate
is q s / ((1 + w) (1 + r)): q is the match quality of the table with it, which is highest among equals; s its sigma,
because tables of well-known bots show little; w the number of tables it waits for; and r how many more times it has met
the first bot than that bot's least frequent opponent has.

A ladder that rests names only bots that miss tables: it ends a draw early when none is left. Other bots still fill the
places beside them.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Final, NamedTuple

from arena.tournament.formats.base import Table
from arena.words import N_

NAME: Final = "ladder"
TITLE: Final = N_("Ladder")
SUMMARY: Final = N_("An endless league that always plays the most informative tables.")

WAITING: Final = 32
"""Number of tables created in advance: enough for many workers, few enough that new bots are seated soon."""
BEHIND: Final = 8
"""A bot goes first if another of its owner has played more than this many times as many tables."""
CONSIDERED: Final = 40
"""Number of bots of similar strength that are considered for a place; in a large field the others rarely fit."""

Quality = Callable[[Sequence[int]], float]
"""Returns how open a table of these entries is, from 0 to 1 (`arena.ratings.quality`)."""

Meetings = Callable[[int, Sequence[int]], Mapping[int, int]]
"""Returns how many tables an entry has shared with each of the others given; others that it has not met are missing."""


class Candidate(NamedTuple):
    """A bot that may be seated."""

    entry: int
    owner: int
    mu: float
    sigma: float
    tables: int
    """Number of tables played."""
    waiting: int
    """Number of tables created for it but not played yet."""
    missing: float = inf
    """Number of tables that it is expected to need; infinite if the ladder plays without end."""


def wanted(unsettled: int) -> int:
    """Return the number of tables to create now: none while more than half of `WAITING` are unsettled."""
    return 0 if unsettled > WAITING // 2 else WAITING - unsettled


def tables(
    candidates: Sequence[Candidate], places: int, wanted: int, met: Meetings, quality: Quality, turn: int = 0
) -> list[Table]:
    """Return up to `wanted` next tables: fewer if enough tables wait for every bot, none with too few candidates.

    `turn` is the number of tables created before, which decides whose turn it is. `met` is called once per table, for
    the bots that are considered. Equal arguments give equal tables.
    """
    if len(candidates) < places:
        return []
    draw = _Draw(candidates, met, quality)
    made: list[Table] = []
    while len(made) < wanted and draw.by_owner:
        owners = sorted(draw.by_owner)
        made.append(draw.table(owners[(turn + len(made)) % len(owners)], places))
    return made


class _Draw:
    """State of a draw: each table changes how many tables bots wait for and how often they have met."""

    def __init__(self, candidates: Sequence[Candidate], met: Meetings, quality: Quality) -> None:
        self.field = _Field(candidates)
        self.lacking = {one.entry: one for one in candidates if one.missing > one.waiting}
        self.by_owner: dict[int, dict[int, Candidate]] = {}
        """Bots that need more tables than wait for them, by owner and entry."""
        for one in self.lacking.values():
            self.by_owner.setdefault(one.owner, {})[one.entry] = one
        self.waiting = {one.entry: one.waiting for one in candidates}
        self.met = met
        self.meetings: Counter[tuple[int, int]] = Counter()
        """Meetings at the tables of this draw."""
        self.quality = quality

    def table(self, owner: int, places: int) -> Table:
        first = self._first(list(self.by_owner[owner].values()))
        table = [first.entry]
        near = self.field.near(first, max(CONSIDERED, places))
        repeats = self._repeats(first.entry, [one.entry for one in near])
        for _ in range(places - 1):
            best = max(near, key=lambda one: (self._value(table, one, repeats[one.entry]), -one.entry))
            near.remove(best)
            table.append(best.entry)
        self._seat(table)
        return tuple(sorted(table))

    def _first(self, own: Sequence[Candidate]) -> Candidate:
        played = {one.entry: one.tables + self.waiting[one.entry] for one in own}
        most = max(played.values())
        behind = [one for one in own if BEHIND * played[one.entry] < most]
        if behind:
            return min(behind, key=lambda one: (played[one.entry], one.entry))
        return max(own, key=lambda one: (one.sigma / (1 + self.waiting[one.entry]), -one.entry))

    def _repeats(self, first: int, others: Sequence[int]) -> dict[int, int]:
        """Return how many more times `first` has met each of the others than the one it has met least."""
        before = self.met(first, others)
        meetings = {one: before.get(one, 0) + self.meetings[min(first, one), max(first, one)] for one in others}
        least = min(meetings.values(), default=0)
        return {one: times - least for one, times in meetings.items()}

    def _value(self, table: Sequence[int], one: Candidate, repeats: int) -> float:
        value = self.quality([*table, one.entry]) * one.sigma
        return value / ((1 + self.waiting[one.entry]) * (1 + repeats))

    def _seat(self, table: Sequence[int]) -> None:
        for entry in table:
            self.waiting[entry] += 1
            if entry in self.lacking and self.lacking[entry].missing <= self.waiting[entry]:
                self._drop(self.lacking.pop(entry))
        self.meetings.update((one, other) for one in table for other in table if one < other)

    def _drop(self, one: Candidate) -> None:
        """Name a bot no more, because enough tables wait for it."""
        del self.by_owner[one.owner][one.entry]
        if not self.by_owner[one.owner]:
            del self.by_owner[one.owner]


class _Field:
    """Candidates in order of strength, sorted once for all tables of a draw."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self.upwards = sorted(candidates, key=lambda one: (one.mu, one.entry))
        self.downwards = sorted(candidates, key=lambda one: (-one.mu, one.entry))

    def near(self, first: Candidate, count: int) -> list[Candidate]:
        """Return the `count` other candidates with the nearest mu, or all others; ties go to the lower entry."""
        above = bisect_left(self.upwards, first.mu, key=lambda one: one.mu)
        below = bisect_right(self.downwards, -first.mu, key=lambda one: -one.mu)
        found = self.upwards[above : above + count + 1] + self.downwards[below : below + count]
        others = [one for one in found if one.entry != first.entry]
        return sorted(others, key=lambda one: (abs(one.mu - first.mu), one.entry))[:count]
