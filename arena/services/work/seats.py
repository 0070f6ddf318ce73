"""Matches played by a worker: named in the log, and counted in the metrics."""

import time
from collections.abc import Sequence
from typing import Any

from structlog.contextvars import bound_contextvars

from arena.games.base import Game
from arena.match.referee import Played
from arena.services.base import measures
from arena.services.play import seats
from arena.services.play.seats import BotCage, Sitter


def seat_and_play(cage: BotCage, rules: Game, sitters: Sequence[Sitter], *rest: Any) -> Played:
    """Play one match like `arena.services.play.seats.seat_and_play`."""
    began = time.monotonic()
    with bound_contextvars(bots=[sitter.version for sitter in sitters]):
        played = seats.seat_and_play(cage, rules, sitters, *rest)
    _measure(played, played.ready_at - began)
    return played


def _measure(played: Played, start: float) -> None:
    """Add a match to the metrics of this process; its bots were ready after `start` seconds."""
    measures.STARTS.observe(start)
    for times, wall, failure in zip(played.times, played.walls, played.failures, strict=True):
        if times:
            measures.ANSWERS.observe(wall / len(times))
            measures.MOVES.inc(len(times))
            measures.MOVE_CPU.inc(sum(times))
        if failure:
            measures.FAULTS.labels(failure.fault.kind).inc()
