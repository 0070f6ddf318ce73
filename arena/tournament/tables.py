"""Tables: how many bots sit at one, who sits where in each of its matches, and what they come to in match points.

There are two kinds. At a *duplicate* table there is a place for every team, each set of boards is played under every
seating of a mode (`arena.tournament.seatings`), and the match points of all matches add up. At a *solitaire* table
there is a place for every entry of the tournament; each plays each set of boards alone, and all that is one comparison.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any, Final, NamedTuple

from arena.tournament.seatings import ROTATIONS, Teams, by_place, count, seatings
from arena.tournament.standings import half_points, most_half_points, ranks, total

Record = Mapping[str, Any]
"""The record of a match."""

FEWEST: Final = 2
"""Bots at a solitaire table at least: one alone has nobody to be compared with."""


class Kind(ABC):
    """A kind of table."""

    places: int
    """How many bots sit there."""
    count: int
    """How many matches there are over one set of boards."""

    def matches(self, sets: int) -> list[tuple[int, tuple[int, ...]]]:
        """All matches in order: the number of the set of boards, and by seat the place of who sits there."""
        return [(number, seating) for number in range(sets) for seating in self.seatings()]

    @abstractmethod
    def seatings(self) -> Iterator[tuple[int, ...]]:
        """The matches over one set of boards: by seat, the place of who sits there."""

    @abstractmethod
    def own_matches(self, sets: int) -> int:
        """In how many of the matches each bot plays."""

    @abstractmethod
    def half_points(self, records: Iterable[Record]) -> list[int]:
        """Twice the match points by place, from the records of all matches in order."""

    @abstractmethod
    def most_half_points(self, sets: int) -> int:
        """Twice the most match points that a place can get."""


class Duplicate(Kind):
    """A place for every team. Every bot plays in every match."""

    def __init__(self, teams: Teams, mode: str = ROTATIONS) -> None:
        self.teams = teams
        self.mode = mode
        self.places = len(teams)
        self.count = count(teams, mode)

    def seatings(self) -> Iterator[tuple[int, ...]]:
        return seatings(self.teams, self.mode)

    def own_matches(self, sets: int) -> int:
        return self.count * sets

    def half_points(self, records: Iterable[Record]) -> list[int]:
        return total(map(self._ranks, records, cycle(self.seatings())), self.places)

    def most_half_points(self, sets: int) -> int:
        return most_half_points(self.places, self.count * sets)

    def _ranks(self, record: Record, seating: Sequence[int]) -> list[int]:
        """By place. Partners share their team's rank."""
        return [record["ranks"][seats[0]] for seats in by_place(seating, self.places)]


class Solitaire(Kind):
    """A place for every entry."""

    def __init__(self, entries: int) -> None:
        self.places = self.count = max(entries, FEWEST)

    def seatings(self) -> Iterator[tuple[int, ...]]:
        return ((place,) for place in range(self.places))

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
    """How well a bot did alone; more is better, and what stands first counts first."""

    wins: int
    draws: int
    margin: int
    """Its own points less those of the best dummy, over all matches."""


def success(records: Sequence[Record]) -> Success:
    """What these matches of a solitaire come to."""
    results = [record["result"] for record in records]
    margin = sum(record["scores"][0] - max(record["dummy_scores"]) for record in records)
    return Success(results.count("win"), results.count("draw"), margin)


def kind_of(teams: Teams, entries: int, mode: str = ROTATIONS) -> Kind:
    """The tables of a game with these teams, in a tournament with so many entries and that mode of seatings."""
    return Duplicate(teams, mode) if len(teams) > 1 else Solitaire(entries)
