"""The arena's engine, driven as a search or a referee drives it."""

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from random import Random
from typing import Final

from arena.games.base import CHANCE, OVER, Game, State
from arena.games.registry import game
from benchmarks.sides.harness import READING, Measure, Span, clock, serve


def play(state: State, random: Callable[[], float]) -> int:
    """Play random moves to the next board or the end and return their number."""
    moves = 0
    while state.seat >= 0:
        legal = state.legal(state.seat)
        state.apply(legal[int(random() * len(legal))])
        moves += 1
    return moves


def play_looking(state: State, random: Callable[[], float]) -> None:
    """Play like `play`, taking the view of the seat to move before each move."""
    while state.seat >= 0:
        state.view(state.seat)
        legal = state.legal(state.seat)
        state.apply(legal[int(random() * len(legal))])


def deal(state: State, rng: Random) -> None:
    """Deal the next board if one is due."""
    if state.seat == CHANCE:
        state.deal(state.game.draw_board(state.boards, rng))


def moves(game: Game, rng: Random) -> Iterator[Span]:
    """Time of moves of whole matches without boards: legal, choose, apply."""
    while True:
        state, seconds, done = game.start(), 0.0, 0
        while state.seat != OVER:
            deal(state, rng)
            start = clock()
            done += play(state, rng.random)
            seconds += clock() - start - READING
        yield seconds, done


def matches(game: Game, rng: Random) -> Iterator[Span]:
    """Time of whole matches: a new state, boards drawn and dealt, all moves."""
    while True:
        start = clock()
        state = game.start()
        while state.seat != OVER:
            deal(state, rng)
            play(state, rng.random)
        yield clock() - start - READING, 1


def positions(game: Game, rng: Random) -> list[State]:
    """Return copies of all positions of a random first board, none of which has been viewed."""
    state, found = game.start(), []
    deal(state, rng)
    while state.seat >= 0:
        found.append(state.clone())
        legal = state.legal(state.seat)
        state.apply(legal[int(rng.random() * len(legal))])
    return found


def clones(game: Game, rng: Random) -> Iterator[Span]:
    """Time of copying every position of a playout."""
    while True:
        found = positions(game, rng)
        start = clock()
        for state in found:
            state.clone()
        yield clock() - start - READING, len(found)


def views(
    game: Game, rng: Random, looks: Callable[[State, Callable[[], float]], None] = play_looking
) -> Iterator[Span]:
    """Time of views in play: a playout with one before every move, minus the same playout without."""
    while True:
        bare = game.start()
        deal(bare, rng)
        looking, seed = bare.clone(), rng.getrandbits(32)
        random = Random(seed).random
        start = clock()
        done = play(bare, random)
        between = clock()
        random = Random(seed).random
        again = clock()
        looks(looking, random)
        yield clock() - again - (between - start), done


MEASURES: Final[Mapping[str, Measure]] = {measure.__name__: measure for measure in (moves, matches, clones, views)}

if __name__ == "__main__":
    serve(version("suit-arena"), game, MEASURES)
