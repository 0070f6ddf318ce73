"""Divisions: caged bots play by a CPU clock, and programs outside the arena by a wall clock.

Each division has leaderboards of its own: its variants have the rules of the caged ones and IDs of their own, so no
rating, tally or tournament can cross.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from arena.games.base import Game, Variant
from arena.words import N_


class Division(NamedTuple):
    """A division for programs outside the arena."""

    id: str
    title: str
    """As a text to be translated."""
    called: str
    """Title of a variant in it, with the value ``variant``."""
    move: float
    """Seconds of real time for each move."""
    bank: float
    """Seconds of a match that moves may take beyond `move`."""


CAGED: Final = "caged"
"""ID of the division of the bots that were uploaded."""
DIVISIONS: Final = {
    one.id: one
    for one in (
        Division("quick", N_("open quick"), N_("%(variant)s, open quick"), 2.0, 60.0),
        Division("slow", N_("open slow"), N_("%(variant)s, open slow"), 30.0, 600.0),
    )
}


def opened(variants: Iterable[Variant], games: dict[str, type[Game]]) -> dict[str, Variant]:
    """Return the variants of all divisions by ID, without those for one player and for partners.

    Nothing could keep two seats of one program from talking to each other.
    """
    return {
        f"{one.id}-{division.id}": one._replace(
            id=f"{one.id}-{division.id}", division=division.called, boards=1, points_over=0
        )
        for one in variants
        for division in DIVISIONS.values()
        if len(games[one.game](one.options).teams) == games[one.game](one.options).players > 1
    }


def division_of(variant_id: str) -> Division | None:
    """Return the division of a variant; None for caged bots."""
    return DIVISIONS.get(variant_id.rpartition("-")[2])


def caged(variant_id: str) -> str:
    """Return the ID of the variant of caged bots with the same rules."""
    return variant_id.rpartition("-")[0] if division_of(variant_id) else variant_id
