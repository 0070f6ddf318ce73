"""Seatings: which bot sits in which seat in each match of a table.

`teams` lists the seats of each team of the game (`arena.games.base.Game.teams`); without partners a team is one seat. A
table has one place per team, and the bot in a place fills every seat of the team it plays. In every mode the first
seating assigns teams to places in order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, permutations
from math import factorial
from types import MappingProxyType
from typing import Final, NamedTuple

Teams = Sequence[Sequence[int]]
"""Seats by team."""

ROTATIONS: Final = "rotations"
ALL: Final = "all"
SINGLE: Final = "single"
BOTH: Final = "both"


class Mode(NamedTuple):
    """Orders of places that a table plays."""

    orders: Callable[[int], Iterator[tuple[int, ...]]]
    """Yields the orders of a number of places: for each team, the place that plays it."""
    count: Callable[[int], int]
    """Returns the number of orders."""
    kept: int = 0
    """Number of bots that keep the first places at every table, because the orders treat these places differently."""


def _turns(places: int) -> Iterator[tuple[int, ...]]:
    return (tuple((team + turn) % places for team in range(places)) for turn in range(places))


def _exchanged(places: int) -> Iterator[tuple[int, ...]]:
    # With two places the second rotation already exchanges them.
    turns = list(_turns(places))[: 1 if places == 2 else places]
    return chain(turns, (tuple(_EXCHANGE.get(place, place) for place in turn) for turn in turns))


_EXCHANGE: Final[Mapping[int, int]] = MappingProxyType({0: 1, 1: 0})
_MODES: Final[Mapping[str, Mode]] = MappingProxyType(
    {
        ROTATIONS: Mode(_turns, int),
        ALL: Mode(lambda places: permutations(range(places)), factorial),
        SINGLE: Mode(lambda places: iter([tuple(range(places))]), lambda places: 1),
        BOTH: Mode(_exchanged, lambda places: 2 if places == 2 else 2 * places, kept=2),
    }
)

MODES: Final = tuple(_MODES)
"""All modes."""
SEATINGS: Final = (ROTATIONS, ALL, SINGLE)
"""Modes for any tournament: cyclic rotations, in which each bot holds every hand once; all orders, in which it does so
with all neighbours; and a single seating, in which hands are luck. Comparisons use `BOTH`: all rotations, then the same
rotations with the bots in places 0 and 1 exchanged."""


def seatings(teams: Teams, mode: str = ROTATIONS) -> Iterator[tuple[int, ...]]:
    """Yield the seatings of a mode: for each seat, the place of the bot that sits there."""
    for order in _MODES[mode].orders(len(teams)):
        by_seat = {seat: place for place, seats in zip(order, teams, strict=True) for seat in seats}
        yield tuple(by_seat[seat] for seat in sorted(by_seat))


def count(teams: Teams, mode: str = ROTATIONS) -> int:
    """Return the number of seatings of a mode: 40,320 for eight places in all orders."""
    return _MODES[mode].count(len(teams))


def kept(mode: str) -> int:
    """Return the number of bots that keep the first places at every table (see `arena.tournament.circles`)."""
    return _MODES[mode].kept


def by_place(seating: Sequence[int], places: int) -> list[list[int]]:
    """Invert a seating: return the seats of each place."""
    return [[seat for seat, place in enumerate(seating) if place == wanted] for wanted in range(places)]
