"""Clock, averaging and command loop shared by all sides. Standard library only."""

import gc
import json
import os
import platform
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from time import perf_counter as wall
from time import process_time as clock  # CPU time: unaffected by other programs on the core
from typing import Any, Final, NamedTuple

__all__ = ["READING", "Measure", "Sample", "Span", "answer", "clock", "mean", "percentile", "pin", "serve", "wall"]

Span = tuple[float, int]
"""Seconds of a playout, and the number of things done in it."""
Measure = Callable[[Any, Random], Iterator[Span]]
"""Endless playouts of a game, driven by a generator."""


class Sample(NamedTuple):
    """Result of one short measurement."""

    each: float
    """Seconds per thing."""
    things: float
    """Things per playout."""


def _reading() -> float:
    """Return the seconds that reading the clock adds to a timed span."""
    return statistics.median(-(clock() - clock()) for _ in range(1001))


READING: Final = _reading()


def pin() -> None:
    """Pin this process and its future children to one core, the same for every side."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def percentile(spans: Sequence[float], part: float) -> float:
    """Return the value below which this share of the spans lies."""
    return sorted(spans)[int(part * (len(spans) - 1))]


def mean(spans: Iterator[Span], budget: float) -> Sample | None:
    """Return the mean of playouts until `budget` seconds were measured, without the first, which warms the caches.

    Returns None if there are no playouts.
    """
    seconds, things, playouts = 0.0, 0, 0
    for spent, done in islice(spans, 1, None):
        seconds, things, playouts = seconds + spent, things + done, playouts + 1
        if seconds >= budget:
            break
    return Sample(seconds / things, things / playouts) if playouts else None


def serve(version: str, load: Callable[..., Any], measures: Mapping[str, Measure]) -> None:
    """Print the versions, then answer each request with a sample."""

    def sample(measure: str, game: Sequence[Any], seed: int, budget: float) -> Sample | None:
        return mean(measures[measure](load(*game), Random(seed)), budget)

    answer(version, sample)


def answer(version: str, measure: Callable[[str, Sequence[Any], int, float], object]) -> None:
    """Print the versions, then answer each line [measure, [game, options], seed, budget]."""
    print(json.dumps([version, platform.python_version()]), flush=True)
    for line in sys.stdin:
        gc.collect()  # garbage of the previous measurement must not count in this one
        print(json.dumps(measure(*json.loads(line))), flush=True)
