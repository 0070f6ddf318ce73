"""Helpers to reach a position, shared by the tests of games and matches."""

from collections.abc import Callable, Iterator
from random import Random

from arena.games.base import CHANCE, OVER, Game, State

Choose = Callable[[State], int]


def deal(game: Game, state: State, seed: int) -> None:
    """Deal the awaited board; it depends only on the seed and its index."""
    state.deal(game.draw_board(state.boards, Random(f"{seed}/{state.boards}")))


def positions(game: Game, seed: int, start: State | None = None) -> Iterator[State]:
    """Yield the same state object at every position of a random match with a move to make."""
    state = start or game.start()
    rng = Random(seed)
    while state.seat != OVER:
        if state.seat == CHANCE:
            deal(game, state, seed)
        else:
            yield state
            state.apply(rng.choice(state.legal(state.seat)))


def finished(game: Game, seed: int) -> State:
    """Return the end of a random match."""
    state = game.start()
    for _ in positions(game, seed, state):
        pass
    return state


def position(game: Game, seed: int, moves: int) -> State:
    """Return the position after that number of moves of a random match, or the last one with a move to make."""
    for number, state in enumerate(positions(game, seed)):
        found = state.clone()
        if number == moves:
            break
    return found
