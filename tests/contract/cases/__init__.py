"""What the contract tests have to be told of each game: a module per game, named after its id."""

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any, NamedTuple, cast

from arena.games.base import Game, State
from arena.games.registry import GAMES


class Case(NamedTuple):
    """The contents of such a module."""

    more: Sequence[dict[str, Any]]
    """Option sets to test beside the variants: everything that the rules allow and no variant has."""
    twin: Callable[[State, int, Random], State]
    """A state that differs from another only in what a seat cannot know; the same state where it knows everything."""
    hides: Callable[[Game], bool]
    """Whether a twin can be told from its original by any other seat: false where nothing is hidden from anybody."""
    cards: Callable[[State], list[str]]
    """The tokens of all cards in the game, wherever they are now: each card of the pack once, at any time in a deal."""
    perft: Sequence[tuple[dict[str, Any], list[int]]]
    """Options, and the numbers of legal lines of 1, 2, … moves after the boards that `tests.playing.deal` deals for
    seed 1: rules that let somebody do more or less than they should change a number."""


def case(id: str) -> Case:
    """The case of a game; an ImportError is how a new game learns that it needs one."""
    module = cast("Any", import_module(f"tests.contract.cases.{id}"))
    return Case(module.MORE, module.twin, module.hides, module.cards, module.PERFT)


CASES = {id: case(id) for id in GAMES}
