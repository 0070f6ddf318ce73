"""The arena's own engine, driven as a search or a referee drives it."""

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from random import Random
from typing import Final

import msgspec

from arena.games.base import CHANCE, OVER, Game, State
from arena.games.registry import game
from benchmarks.sides.measuring import READING, Measure, Span, clock, serve


def play(state: State, random: Callable[[], float]) -> int:
    """Random moves until the next board or the end; returns their number."""
    moves = 0
    while state.seat >= 0:
        legal = state.legal(state.seat)
        state.apply(legal[int(random() * len(legal))])
        moves += 1
    return moves


def play_looking(state: State, random: Callable[[], float]) -> None:
    """`play`, with the view of the seat to move before each move."""
    while state.seat >= 0:
        state.view(state.seat)
        legal = state.legal(state.seat)
        state.apply(legal[int(random() * len(legal))])


def play_writing(state: State, random: Callable[[], float]) -> None:
    """The same with each view encoded as it is sent."""
    encode = msgspec.json.Encoder().encode
    while state.seat >= 0:
        encode(state.view(state.seat))
        legal = state.legal(state.seat)
        state.apply(legal[int(random() * len(legal))])


def deal(state: State, rng: Random) -> None:
    """Deal the next board where one is awaited."""
    if state.seat == CHANCE:
        state.deal(state.game.draw_board(state.boards, rng))


def moves(game: Game, rng: Random) -> Iterator[Span]:
    """Moves of whole matches without their boards: legal, choose, apply."""
    while True:
        state, seconds, done = game.start(), 0.0, 0
        while state.seat != OVER:
            deal(state, rng)
            start = clock()
            done += play(state, rng.random)
            seconds += clock() - start - READING
        yield seconds, done


def moves_and_boards(game: Game, rng: Random) -> Iterator[Span]:
    """Moves of whole matches with all that belongs to one: a new state, its boards drawn and dealt."""
    while True:
        done, start = 0, clock()
        state = game.start()
        while state.seat != OVER:
            deal(state, rng)
            done += play(state, rng.random)
        yield clock() - start - READING, done


def matches(game: Game, rng: Random) -> Iterator[Span]:
    """Whole matches."""
    return ((seconds, 1) for seconds, _ in moves_and_boards(game, rng))


def positions(game: Game, rng: Random) -> list[State]:
    """Copies of all positions of a random first board, none of them looked at."""
    state, found = game.start(), []
    deal(state, rng)
    while state.seat >= 0:
        found.append(state.clone())
        legal = state.legal(state.seat)
        state.apply(legal[int(rng.random() * len(legal))])
    return found


def clones(game: Game, rng: Random) -> Iterator[Span]:
    """A copy of every position of a playout."""
    while True:
        found = positions(game, rng)
        start = clock()
        for state in found:
            state.clone()
        yield clock() - start - READING, len(found)


def fresh_views(game: Game, rng: Random) -> Iterator[Span]:
    """The view of the seat to move in a fresh copy of every position of a playout."""
    while True:
        found = positions(game, rng)
        start = clock()
        for state in found:
            state.view(state.seat)
        yield clock() - start - READING, len(found)


def views(
    game: Game, rng: Random, looks: Callable[[State, Callable[[], float]], None] = play_looking
) -> Iterator[Span]:
    """Views as a referee asks for them: a playout with one before every move, less the same playout without."""
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


def texts(game: Game, rng: Random) -> Iterator[Span]:
    """`views`, each encoded as it is sent."""
    return views(game, rng, play_writing)


MEASURES: Final[Mapping[str, Measure]] = {
    measure.__name__: measure for measure in (moves, moves_and_boards, matches, clones, views, texts, fresh_views)
}

if __name__ == "__main__":
    serve(version("suit-arena"), game, MEASURES)
