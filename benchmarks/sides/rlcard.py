"""RLCard's bridge, driven below its environments, which add arrays for learning to every step."""

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from random import Random
from typing import Any, Final

from rlcard.games.bridge.game import BridgeGame

from benchmarks.sides.harness import READING, Measure, Span, clock, serve


def load(game: str, options: Mapping[str, Any]) -> Any:
    """Return bridge, the only game of this side; it has no options."""
    return BridgeGame()


def play(game: Any, random: Callable[[], float]) -> int:
    """Play random calls and cards to the end and return their number."""
    moves, legal_actions = 0, game.judger.get_legal_actions
    while legal := legal_actions():
        game.step(legal[int(random() * len(legal))])
        moves += 1
    return moves


def seeded(game: Any, rng: Random) -> Any:
    """Seed the game's boards from a generator."""
    game.np_random.seed(rng.getrandbits(32))
    return game


def moves(game: Any, rng: Random) -> Iterator[Span]:
    """Time of moves without the deal: legal, choose, step."""
    seeded(game, rng)
    while True:
        game.init_game()
        start = clock()
        done = play(game, rng.random)
        yield clock() - start - READING, done


def matches(game: Any, rng: Random) -> Iterator[Span]:
    """Time of whole deals: cards dealt, all calls and cards."""
    seeded(game, rng)
    while True:
        start = clock()
        game.init_game()
        play(game, rng.random)
        yield clock() - start - READING, 1


MEASURES: Final[Mapping[str, Measure]] = {measure.__name__: measure for measure in (moves, matches)}

if __name__ == "__main__":
    serve(version("rlcard"), load, MEASURES)
