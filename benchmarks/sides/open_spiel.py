"""OpenSpiel: an engine in C++, driven from Python with as little overhead as it allows."""

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from random import Random
from typing import Any, Final

import pyspiel
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

from benchmarks.sides.harness import READING, Measure, Span, clock, serve


def play(state: Any, random: Callable[[], float]) -> int:
    """Play random moves to the end and return their number."""
    moves = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(random() * len(legal))])
        moves += 1
    return moves


def play_looking(state: Any, random: Callable[[], float]) -> None:
    """Play like `play`, reading the information state of the player to move before each move."""
    while not state.is_terminal():
        state.information_state_string()
        legal = state.legal_actions()
        state.apply_action(legal[int(random() * len(legal))])


def dealt(game: Any, random: Callable[[], float]) -> Any:
    """Return a new state after all chance events: 52 cards, and in hearts the direction of passing."""
    state = game.new_initial_state()
    while state.is_chance_node():
        legal = state.legal_actions()
        state.apply_action(legal[int(random() * len(legal))])
    return state


def moves(game: Any, rng: Random) -> Iterator[Span]:
    """Time of moves without the deal: legal, choose, apply."""
    while True:
        state = dealt(game, rng.random)
        start = clock()
        done = play(state, rng.random)
        yield clock() - start - READING, done


def matches(game: Any, rng: Random) -> Iterator[Span]:
    """Time of whole deals: new state, cards dealt, all moves."""
    while True:
        start = clock()
        play(dealt(game, rng.random), rng.random)
        yield clock() - start - READING, 1


def positions(game: Any, rng: Random) -> list[Any]:
    """Return copies of all positions of a random playout."""
    state, found = dealt(game, rng.random), []
    while not state.is_terminal():
        found.append(state.clone())
        legal = state.legal_actions()
        state.apply_action(legal[int(rng.random() * len(legal))])
    return found


def clones(game: Any, rng: Random) -> Iterator[Span]:
    """Time of copying every position of a playout."""
    while True:
        found = positions(game, rng)
        start = clock()
        for state in found:
            state.clone()
        yield clock() - start - READING, len(found)


def views(game: Any, rng: Random) -> Iterator[Span]:
    """Time of information states in play: a playout with one before every move, minus the same playout without."""
    while True:
        bare = dealt(game, rng.random)
        looking, seed = bare.clone(), rng.getrandbits(32)
        random = Random(seed).random
        start = clock()
        done = play(bare, random)
        between = clock()
        random = Random(seed).random
        again = clock()
        play_looking(looking, random)
        yield clock() - again - (between - start), done


def decisions(game: Any, rng: Random) -> Iterator[Span]:
    """Time of whole deals by random decisions, each with the information state as an array, and the returns."""
    seen, random = make_observation(game, INFO_STATE_OBS_TYPE), rng.random
    while True:
        start, done = clock(), 0
        state = dealt(game, random)
        while not state.is_terminal():
            seen.set_from(state, state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
            done += 1
        state.returns()
        yield clock() - start - READING, done


MEASURES: Final[Mapping[str, Measure]] = {
    measure.__name__: measure for measure in (moves, matches, clones, views, decisions)
}

if __name__ == "__main__":
    serve(version("open_spiel"), pyspiel.load_game, MEASURES)
