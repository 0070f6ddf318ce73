"""Tables: their places, the seating of each match, and match points.

There are two kinds. A *duplicate* table has a place for every team. Each set of boards is played under every seating of
a mode (`arena.tournament.seatings`), and the match points of all matches add up. A *solitaire* table has a place for
every entry of the tournament. Each entry plays every set of boards alone, and the table compares them once.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any, Final, NamedTuple

from arena.tournament.seatings import BOTH, ROTATIONS, Teams, by_place, count, seatings
from arena.tournament.standings import half_points, most_half_points, ranks, total

Record = Mapping[str, Any]
"""Record of a match."""

FEWEST: Final = 2
"""Least number of bots at a solitaire table, because it compares bots."""


class PlaceResult(NamedTuple):
    """Result of a place at a table."""

    half_points: int
    """Twice the match points."""
    rank: int
    """Rank by match points; 1 is the best."""
    faults: int
    """Number of its matches with a fault."""


class Kind(ABC):
    """Kind of table."""

    places: int
    """Number of bots at the table."""
    count: int
    """Number of matches per set of boards."""

    def matches(self, sets: int) -> list[tuple[int, tuple[int, ...]]]:
        """Return all matches in order: the number of the set of boards, and for each seat the place of its bot."""
        return [(number, seating) for number in range(sets) for seating in self.seatings()]

    @abstractmethod
    def seatings(self) -> Iterator[tuple[int, ...]]:
        """Yield the seatings of one set of boards: for each seat, the place of its bot."""

    @abstractmethod
    def luck(self, match: int) -> int:
        """Return the number of the match whose seeds the bots get: `match`, unless it repeats an earlier one."""

    @abstractmethod
    def own_matches(self, sets: int) -> int:
        """Return the number of matches that each bot plays."""

    @abstractmethod
    def half_points(self, records: Iterable[Record]) -> list[int]:
        """Return twice the match points by place, from the records of all matches in order."""

    def result(self, records: Sequence[Record]) -> list[PlaceResult]:
        """Return the result by place, from the records of all matches in order."""
        points, faults = self.half_points(records), [0] * self.places
        for record, seating in zip(records, cycle(self.seatings()), strict=False):
            for place in {seating[fault["seat"]] for fault in record["faults"]}:
                faults[place] += 1
        return list(map(PlaceResult, points, ranks(points), faults))

    @abstractmethod
    def most_half_points(self, sets: int) -> int:
        """Return twice the most match points that a place can get."""


class Duplicate(Kind):
    """Table with a place for every team. Every bot plays in every match."""

    def __init__(self, teams: Teams, mode: str = ROTATIONS) -> None:
        self.teams = teams
        self.mode = mode
        self.places = len(teams)
        self.count = count(teams, mode)

    def seatings(self) -> Iterator[tuple[int, ...]]:
        return seatings(self.teams, self.mode)

    def luck(self, match: int) -> int:
        half = self.count // 2
        return match - half if self.mode == BOTH and match % self.count >= half else match

    def own_matches(self, sets: int) -> int:
        return self.count * sets

    def half_points(self, records: Iterable[Record]) -> list[int]:
        return total(map(self._ranks, records, cycle(self.seatings())), self.places)

    def most_half_points(self, sets: int) -> int:
        return most_half_points(self.places, self.count * sets)

    def _ranks(self, record: Record, seating: Sequence[int]) -> list[int]:
        """Return the ranks by place. Partners share the rank of their team."""
        return [record["ranks"][seats[0]] for seats in by_place(seating, self.places)]


class Solitaire(Kind):
    """Table with a place for every entry."""

    def __init__(self, entries: int, mode: str = ROTATIONS) -> None:
        self.places = self.count = max(entries, FEWEST)
        self.mode = mode

    def seatings(self) -> Iterator[tuple[int, ...]]:
        return ((place,) for place in range(self.places))

    def luck(self, match: int) -> int:
        return match - match % self.count if self.mode == BOTH else match

    def own_matches(self, sets: int) -> int:
        return sets

    def half_points(self, records: Iterable[Record]) -> list[int]:
        own: list[list[Record]] = [[] for _ in range(self.places)]
        for record, matches in zip(records, cycle(own), strict=False):
            matches.append(record)
        return half_points(ranks([success(matches) for matches in own]))

    def most_half_points(self, sets: int) -> int:
        return most_half_points(self.places, 1)


class Success(NamedTuple):
    """Result of a bot in a solitaire variant. More is better, and earlier fields count first."""

    wins: int
    draws: int
    margin: int
    """Points minus those of the best dummy, over all matches."""


def success(records: Sequence[Record]) -> Success:
    """Add up the matches of a solitaire variant."""
    results = [record["result"] for record in records]
    margin = sum(record["scores"][0] - max(record["dummy_scores"]) for record in records)
    return Success(results.count("win"), results.count("draw"), margin)


def kind_of(teams: Teams, entries: int, mode: str = ROTATIONS) -> Kind:
    """Return the kind of table for a game's teams, a number of entries, and a mode of seatings."""
    return Duplicate(teams, mode) if len(teams) > 1 else Solitaire(entries, mode)
