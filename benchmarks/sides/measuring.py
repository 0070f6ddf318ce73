"""What every side shares: the clock, the mean of many playouts, and answering the runner. Standard library only."""

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
from time import process_time as clock  # CPU time: a neighbour that takes the core away is not counted
from typing import Any, Final, NamedTuple

__all__ = ["READING", "Measure", "Sample", "Span", "answer", "clock", "mean", "percentile", "pin", "serve", "wall"]

Span = tuple[float, int]
"""Seconds in one playout, and how many things were done in them."""
Measure = Callable[[Any, Random], Iterator[Span]]
"""Endless playouts of a game, drawn with a generator."""


class Sample(NamedTuple):
    """One short measurement."""

    each: float
    """Seconds per thing."""
    things: float
    """Things per playout."""


def _reading() -> float:
    """Seconds that reading the clock adds to a timed span."""
    return statistics.median(-(clock() - clock()) for _ in range(1001))


READING: Final = _reading()


def pin() -> None:
    """Run on one core from here on, with all processes that are started: the same core for every side."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def percentile(spans: Sequence[float], part: float) -> float:
    """The value below which this part of them lies."""
    return sorted(spans)[int(part * (len(spans) - 1))]


def mean(spans: Iterator[Span], budget: float) -> Sample | None:
    """The mean of playouts until `budget` seconds were measured. The first is not counted: it warms the caches.

    None where there are no playouts.
    """
    seconds, things, playouts = 0.0, 0, 0
    for spent, done in islice(spans, 1, None):
        seconds, things, playouts = seconds + spent, things + done, playouts + 1
        if seconds >= budget:
            break
    return Sample(seconds / things, things / playouts) if playouts else None


def serve(version: str, load: Callable[..., Any], measures: Mapping[str, Measure]) -> None:
    """Tell the versions, then answer each request with a sample."""

    def sample(measure: str, game: Sequence[Any], seed: int, budget: float) -> Sample | None:
        return mean(measures[measure](load(*game), Random(seed)), budget)

    answer(version, sample)


def answer(version: str, measure: Callable[[str, Sequence[Any], int, float], object]) -> None:
    """Tell the versions, then answer each line [measure, [game, options], seed, budget] with what comes of it."""
    print(json.dumps([version, platform.python_version()]), flush=True)
    for line in sys.stdin:
        gc.collect()  # what the measurement before left behind is not this one's
        print(json.dumps(measure(*json.loads(line))), flush=True)
