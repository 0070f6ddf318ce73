"""RLCard: games in Python, one at a time, on one core."""

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from random import Random
from typing import Any

import rlcard

from benchmarks.sides.harness import READING, Span, clock, pin, serve


def load(name: str, options: Mapping[str, Any]) -> Any:
    """Make an environment."""
    return rlcard.make(name, config={"seed": 1, **options})


def decisions(env: Any, rng: Random) -> Iterator[Span]:
    """Time of whole games by random decisions: states with observations and legal actions, and payoffs."""
    random = rng.random
    while True:
        start, done = clock(), 0
        state, _ = env.reset()
        while not env.is_over():
            legal = [*state["legal_actions"]]
            state, _ = env.step(legal[int(random() * len(legal))])
            done += 1
        env.get_payoffs()
        yield clock() - start - READING, done


if __name__ == "__main__":
    pin()
    serve(version("rlcard"), load, {"decisions": decisions})
