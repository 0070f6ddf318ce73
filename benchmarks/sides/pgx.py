"""Pgx: games compiled by JAX, many side by side, on one core."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import version
from random import Random
from typing import Any, Final

import jax
import pgx
from pgx.experimental import auto_reset

from benchmarks.sides.harness import READING, Span, clock, pin, serve

STEPS: Final = 16
"""Steps in a span."""


@cache
def compiled(name: str, rows: int) -> tuple[Any, Any]:
    """Return functions that begin in all rows, and that make a random decision in each."""
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def decide(state: Any, key: Any) -> tuple[Any, Any]:
        key, choosing, dealing = jax.random.split(key, 3)
        wishes = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return step(state, jax.random.categorical(choosing, wishes), jax.random.split(dealing, rows)), key

    return jax.jit(lambda key: jax.vmap(env.init)(jax.random.split(key, rows))), jax.jit(decide)


def load(name: str, options: Mapping[str, Any]) -> tuple[str, int]:
    """Return the name of a game and the number of rows."""
    return name, options["rows"]


def decisions(loaded: tuple[str, int], rng: Random) -> Iterator[Span]:
    """Time of random decisions in all rows, chosen by the same compiled function that applies them."""
    begin, decide = compiled(*loaded)
    key = jax.random.PRNGKey(rng.getrandbits(31))
    state = begin(key)
    while True:
        start = clock()
        for _ in range(STEPS):
            state, key = decide(state, key)
        jax.block_until_ready((state.observation, state.rewards))
        yield clock() - start - READING, STEPS * loaded[1]


if __name__ == "__main__":
    pin()
    serve(f"{version('pgx')}, JAX {version('jax')}", load, {"decisions": decisions})
