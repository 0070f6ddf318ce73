"""Bots as most contest engines run them: a fresh Python per seat and match, and lines of JSON in pipes.

Engine, referee and views are the arena's. CPU time of all processes, one core.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any, Final

from arena.games.base import Game
from arena.games.registry import game
from arena.sdk.player import Reply, SeatReport, Setup
from benchmarks.sides.harness import Measure, Span, clock, pin, serve, wall
from benchmarks.sides.positions import match

BOT: Final = """
import json
import sys

for line in sys.stdin:
    view = json.loads(line)["view"]
    print(json.dumps({"action": view["legal"][0]}), flush=True)
"""


class Piped:
    """A program that reads views and writes actions, one per line."""

    wants_events = wants_forced = False

    def __init__(self) -> None:
        command = [sys.executable, "-c", BOT]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdin is not None  # noqa: S101 - narrows
        assert self.process.stdout is not None  # noqa: S101
        self.input, self.output = self.process.stdin, self.process.stdout

    def start(self, setup: Setup) -> None:
        """Do nothing: the process has started."""

    def ready(self) -> None:
        """Do nothing: the first answer shows that the process is ready."""

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        """Send a line."""
        self.asked_at = wall()
        self.input.write(json.dumps({"view": view, "time": time_left}) + "\n")
        self.input.flush()

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        """Wait for a line. The clock is real time, as in those engines."""
        action = json.loads(self.output.readline())["action"]
        spent = wall() - self.asked_at
        return Reply(action, spent, spent)

    def computed(self) -> float:
        """Return 0: not measured."""
        return 0.0

    def slept(self) -> float:
        """Return 0: not measured."""
        return 0.0

    def spent(self) -> float:
        """Return 0: not measured."""
        return 0.0

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Do nothing: the result is not sent."""

    def ended(self) -> None:
        """Do nothing: there is nothing to wait for."""

    def close(self) -> SeatReport:
        """Close the pipes and wait for the process."""
        self.process.communicate()
        return SeatReport("", 0.0, 0)


def matches(game: Game, rng: Random) -> Iterator[Span]:
    """CPU time of deals in whole matches, including start and end of each bot's process."""
    while True:
        start = used()
        match(game, [Piped() for _ in range(game.players)], rng)
        yield used() - start, game.options["deals"]


def used() -> float:
    """Return the CPU seconds of this process and of its finished children."""
    ended = getrusage(RUSAGE_CHILDREN)
    return clock() + ended.ru_utime + ended.ru_stime


MEASURES: Final[Mapping[str, Measure]] = {"matches": matches}

if __name__ == "__main__":
    pin()
    serve("a Python per seat", game, MEASURES)
