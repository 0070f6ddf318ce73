"""Ways to get into a position, shared by the tests of games and matches."""

from collections.abc import Callable, Iterator
from random import Random

from arena.games.base import CHANCE, OVER, Game, State

Choose = Callable[[State], int]


def deal(game: Game, state: State, seed: int) -> None:
    """Deal the awaited board; a board depends on the seed and its index only."""
    state.deal(game.draw_board(state.boards, Random(f"{seed}/{state.boards}")))


def positions(game: Game, seed: int, start: State | None = None) -> Iterator[State]:
    """The same state object again and again, at every position with a move to make, along a random match."""
    state = start or game.start()
    rng = Random(seed)
    while state.seat != OVER:
        if state.seat == CHANCE:
            deal(game, state, seed)
        else:
            yield state
            state.apply(rng.choice(state.legal(state.seat)))


def finished(game: Game, seed: int) -> State:
    """The end of a random match."""
    state = game.start()
    for _ in positions(game, seed, state):
        pass
    return state


def position(game: Game, seed: int, moves: int) -> State:
    """The position after so many moves of a random match, or the last one with a move to make."""
    state = game.start()
    for number, _ in enumerate(positions(game, seed, state)):
        if number == moves:
            break
    return state
