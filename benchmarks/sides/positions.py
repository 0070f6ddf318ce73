"""Suitability views and matches shared by the sides that measure transport."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from arena.games.base import Board, Game
from arena.match.record import encode
from arena.match.referee import Played, play
from arena.sdk.player import Player

NAMES: Final = ("north", "east", "south", "west")
SEEDS: Final = (1, 2, 3, 4)


def views(game: Game, rng: Random) -> list[dict[str, Any]]:
    """Return the views of all choices in a random deal."""
    state, found = game.start(), []
    state.deal(game.draw_board(0, rng))
    while state.seat >= 0:
        legal = state.legal(state.seat)
        if len(legal) > 1:
            found.append(state.view(state.seat))
        state.apply(legal[int(rng.random() * len(legal))])
    return found


def boards(game: Game, rng: Random) -> Callable[[int], Board]:
    """Return a function that draws the boards of a match on demand."""
    return lambda index: game.draw_board(index, rng)


def match(game: Game, players: Sequence[Player], rng: Random) -> Played:
    """Play a match and encode its record. Raises `RuntimeError` if a bot failed, because then the timing is void."""
    played = play(game, players, NAMES, boards(game, rng), SEEDS)
    encode(played.record)
    if any(played.failures):
        raise RuntimeError(f"a bot failed: {next(filter(None, played.failures)).fault}")
    return played
