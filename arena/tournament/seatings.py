"""Seatings: which bot sits where in each match of a table.

`teams` are the game's, seats by team (`arena.games.base.Game.teams`); without partners one seat each. A table has as
many places as there are teams, and the bot in a place fills every seat of the team that it plays.
"""

from collections.abc import Iterator, Sequence

Teams = Sequence[Sequence[int]]


def rotations(teams: Teams) -> Iterator[tuple[int, ...]]:
    """The cyclic seatings: by seat, the place of the bot that sits there. Over all of them each holds every hand."""
    places = len(teams)
    for turn in range(places):
        by_seat = {seat: (number + turn) % places for number, seats in enumerate(teams) for seat in seats}
        yield tuple(by_seat[seat] for seat in sorted(by_seat))


def by_place(seating: Sequence[int], places: int) -> list[list[int]]:
    """The same seating the other way round: the seats of each place."""
    return [[seat for seat, place in enumerate(seating) if place == wanted] for wanted in range(places)]
