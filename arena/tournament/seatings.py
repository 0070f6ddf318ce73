"""Seatings: which bot sits where in each match of a table.

`teams` are the game's, seats by team (`arena.games.base.Game.teams`); without partners one seat each. A table has as
many places as there are teams, and the bot in a place fills every seat of the team that it plays. In every mode the
first seating gives the teams to the places in order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from math import factorial
from types import MappingProxyType
from typing import Final, NamedTuple

Teams = Sequence[Sequence[int]]

ROTATIONS: Final = "rotations"
ALL: Final = "all"
SINGLE: Final = "single"


class Mode(NamedTuple):
    """Which orders of its places a table plays."""

    orders: Callable[[int], Iterator[tuple[int, ...]]]
    """Of so many places: by team, the place that plays it."""
    count: Callable[[int], int]
    """How many those are."""


def _turns(places: int) -> Iterator[tuple[int, ...]]:
    return (tuple((team + turn) % places for team in range(places)) for turn in range(places))


def _permutations(places: int) -> Iterator[tuple[int, ...]]:
    return permutations(range(places))


def _one(places: int) -> Iterator[tuple[int, ...]]:
    return iter([tuple(range(places))])


_MODES: Final[Mapping[str, Mode]] = MappingProxyType(
    {ROTATIONS: Mode(_turns, int), ALL: Mode(_permutations, factorial), SINGLE: Mode(_one, lambda places: 1)}
)

SEATINGS: Final = tuple(_MODES)
"""Cyclic rotations, in which each bot holds every hand once; all orders, in which it does so between all neighbours; a
single one, in which hands are luck."""


def seatings(teams: Teams, mode: str = ROTATIONS) -> Iterator[tuple[int, ...]]:
    """The seatings of that mode: by seat, the place of the bot that sits there."""
    for order in _MODES[mode].orders(len(teams)):
        by_seat = {seat: place for place, seats in zip(order, teams, strict=True) for seat in seats}
        yield tuple(by_seat[seat] for seat in sorted(by_seat))


def count(teams: Teams, mode: str = ROTATIONS) -> int:
    """How many seatings those are: of eight places in all orders, 40,320."""
    return _MODES[mode].count(len(teams))


def rotations(teams: Teams) -> Iterator[tuple[int, ...]]:
    """The cyclic seatings. Over all of them each bot holds every hand."""
    return seatings(teams, ROTATIONS)


def by_place(seating: Sequence[int], places: int) -> list[list[int]]:
    """The same seating the other way round: the seats of each place."""
    return [[seat for seat, place in enumerate(seating) if place == wanted] for wanted in range(places)]
