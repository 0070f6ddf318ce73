"""Optional, stronger contract tests of single games: one module per game, named after the game's id.

A game without a module is tested with the defaults of `Case`.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, NamedTuple

from arena.games.base import Game, State
from arena.games.registry import GAMES
from tests.games.high_card import HighCard


def sampled(state: State, seat: int, rng: Random) -> State:
    """Return a sample of the position, as seen from that seat."""
    return state.sample(seat, rng)


def hides_from_others(game: Game) -> bool:
    """Return whether there is another seat to hide something from."""
    return game.players > 1


def uncounted(state: State) -> list[str]:
    """Return no cards: they are followed by their events alone."""
    return []


class Case(NamedTuple):
    """Attributes that a game's module may define."""

    more: Sequence[dict[str, Any]] = ()
    """Option sets to test in addition to the variants: everything that the rules allow and no variant has."""
    twin: Callable[[State, int, Random], State] = sampled
    """Returns a state that differs only in hidden parts, or the same state if the seat knows everything."""
    hides: Callable[[Game], bool] = hides_from_others
    """Whether another seat can distinguish a twin from its original; false if nothing is hidden from anyone."""
    cards: Callable[[State], list[str]] = uncounted
    """Returns the tokens of all cards in the game, wherever they are: each card of the pack once, at any time."""
    perft: Sequence[tuple[dict[str, Any], list[int]]] = ()
    """Options, and the number of legal lines of 1, 2, … moves from the boards that `tests.positions.deal` deals for
    seed 1. A rule that allows too much or too little changes a number."""


def case(id: str) -> Case:
    """Return the case of a game."""
    name = f"{__name__}.{id}"
    module = import_module(name) if find_spec(name) else None
    return Case(**{field: getattr(module, field) for field in Case._fields if hasattr(module, field)})


CASES = {id: case(id) for id in (*GAMES, HighCard.id)}
