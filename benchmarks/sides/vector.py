"""The vector environment: random decisions with observation, legal actions and rewards, on one core."""

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from random import Random
from typing import Any, Final

from arena.learn.vector import DealsEnv
from benchmarks.sides.harness import READING, Span, clock, pin, serve

STEPS: Final = 64
"""Steps in a span, because rows begin together and so are in the auction together."""


def load(variant: str, options: Mapping[str, Any]) -> DealsEnv:
    """Make the environment with this number of rows."""
    return DealsEnv(variant, options["rows"])


def decisions(env: DealsEnv, rng: Random) -> Iterator[Span]:
    """Time of random decisions in all rows."""
    env.reset(seed=rng.getrandbits(32))
    while True:
        start = clock()
        for _ in range(STEPS):
            env.step(env.sample())
        yield clock() - start - READING, STEPS * env.num_envs


if __name__ == "__main__":
    pin()
    serve(version("suit-arena"), load, {"decisions": decisions})
