"""The arena's cage: starting, asking and stopping bots, and whole matches, all on one core.

Starts, stops and requests are measured in real time, matches in the CPU time of all participating processes.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from importlib.metadata import version
from itertools import cycle
from pathlib import Path
from random import Random
from time import clock_gettime
from typing import Any, Final

from arena.games.base import Game
from arena.games.registry import game
from arena.sandbox import Cage
from arena.sandbox.cage import Caged
from arena.sdk.player import SeatReport, Setup
from benchmarks.sides.harness import Measure, Span, clock, percentile, pin, serve, wall
from benchmarks.sides.positions import NAMES, SEEDS, match, views

BOT: Final = Path(__file__).with_name("trivial_bot.py").read_bytes()
ASKS: Final = 500
"""Requests per span: enough for a 99th percentile."""
SHORT: Final[dict[str, Any]] = {"seat": 0, "phase": "play", "legal": ["2C", "3C"]}
NO_REPORT: Final = SeatReport("", 0.0, 0)


@cache
def cage(*, bare: bool) -> Cage:
    """Return a cage with all layers that this machine supports, or with none."""
    full = Cage("none").open()
    if not bare:
        return full
    return Cage("none", without=full.layers | frozenset(full.zygote.spaces)).open()


def begun(game: Game, seat: int = 0, bare: bool = False) -> Caged:
    """Start a bot without waiting for it."""
    player = cage(bare=bare).player(BOT, seat=seat)
    player.start(Setup(game.id, game.options, seat, NAMES, SEEDS[seat]))
    return player


def started(game: Game, seat: int = 0, bare: bool = False) -> Caged:
    """Start a bot and wait until `on_start` has returned."""
    player = begun(game, seat, bare)
    player.ready()
    return player


def ready(game: Game, rng: Random) -> Iterator[Span]:
    """Time from requesting a bot until it is ready."""
    while True:
        start = wall()
        player = started(game)
        spent = wall() - start
        player.close()
        yield spent, 1


def stop(game: Game, rng: Random) -> Iterator[Span]:
    """Time to stop a bot and collect its output and usage."""
    while True:
        player = started(game)
        start = wall()
        player.close()
        yield wall() - start, 1


def memory(game: Game, rng: Random) -> Iterator[Span]:
    """Private memory of a bot after the requests of a deal, in MiB instead of seconds; nothing without permission."""
    while True:
        player = started(game)
        for view in views(game, rng):
            ask(player, view)
        try:
            pages = Path(f"/proc/{player.pid}/smaps_rollup").read_text()
        except PermissionError:
            return
        finally:
            player.close()
        yield sum(map(int, re.findall(r"Private_\w+: *(\d+)", pages))) / 1024, 1


def ask(player: Caged, view: Mapping[str, Any]) -> float:
    """Return the seconds from sending a view to receiving the answer."""
    start = wall()
    player.ask(view, (), 10.0)
    player.reply()
    return wall() - start


def asks(game: Game, shown: Sequence[Mapping[str, Any]], part: float) -> Iterator[Span]:
    """Yield a percentile of the request times, in seconds."""
    turns = cycle(shown)
    with closing(started(game)) as player:
        while True:
            spent = percentile([ask(player, next(turns)) for _ in range(ASKS)], part)
            yield spent * ASKS, ASKS


def short(game: Game, rng: Random) -> Iterator[Span]:
    """Median for a view of two cards."""
    return asks(game, [SHORT], 0.5)


def short_99(game: Game, rng: Random) -> Iterator[Span]:
    """99th percentile for a view of two cards."""
    return asks(game, [SHORT], 0.99)


def real(game: Game, rng: Random) -> Iterator[Span]:
    """Median for the views of a deal."""
    return asks(game, views(game, rng), 0.5)


def real_99(game: Game, rng: Random) -> Iterator[Span]:
    """99th percentile for the views of a deal."""
    return asks(game, views(game, rng), 0.99)


def layers(game: Game, rng: Random) -> Iterator[Span]:
    """Ratio of a request with all layers to one with none: medians of alternating requests."""
    with closing(started(game)) as caged, closing(started(game, bare=True)) as free:
        for view in cycle(views(game, rng)):
            pairs = [(ask(caged, view), ask(free, view)) for _ in range(ASKS)]
            with_layers, without = (percentile(spans, 0.5) for spans in zip(*pairs, strict=True))
            yield with_layers / without, 1


class Waiting:
    """A player that is started before its match and outlives it, so that neither is part of a span."""

    def __init__(self, player: Caged) -> None:
        self.player = player
        self.wants_events, self.wants_forced = player.wants_events, player.wants_forced
        self.ask, self.reply, self.computed = player.ask, player.reply, player.computed
        self.slept, self.spent, self.end, self.ended = player.slept, player.spent, player.end, player.ended

    def start(self, setup: Setup) -> None:
        """Do nothing: the bot has already started."""

    def ready(self) -> None:
        """Do nothing: the bot is ready."""

    def close(self) -> SeatReport:
        """Do nothing: the bot stays."""
        return NO_REPORT


def waiting(game: Game) -> list[Waiting]:
    """Return a ready player for each seat."""
    return [Waiting(started(game, seat)) for seat in range(game.players)]


def end(players: Sequence[Waiting]) -> None:
    """Stop the players after their match."""
    for each in players:
        each.player.close()


def used(players: Sequence[Waiting]) -> float:
    """Return the CPU seconds of this process and the bots so far."""
    return clock() + sum(each.player.cpu for each in players)


def matches(game: Game, rng: Random) -> Iterator[Span]:
    """CPU time of deals in whole matches between bots that are ready in advance."""
    while True:
        players = waiting(game)
        start = used(players)
        match(game, players, rng)
        spent = used(players) - start
        end(players)
        yield spent, game.options["deals"]


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and of its children that have been reaped. Raises `OSError`."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from family(int(child))


def starting(zygote: int) -> float:
    """Return the CPU seconds that a zygote's processes have used so far, without bots that have ended."""
    return sum(clock_gettime(~pid << 3 | 2) for pid in family(zygote))  # encoded as by clock_getcpuclockid(3)


def matches_with_starts(game: Game, rng: Random) -> Iterator[Span]:
    """CPU time of deals in whole matches, including start and end of each bot's process."""
    zygote = cage(bare=False).zygote.pid
    while True:
        start = clock() + starting(zygote)
        played = match(game, [begun(game, seat) for seat in range(game.players)], rng)
        bots = sum(report.cpu for report in played.reports)
        yield clock() + starting(zygote) - start + bots, game.options["deals"]


MEASURES: Final[Mapping[str, Measure]] = {
    measure.__name__: measure
    for measure in (
        ready, stop, memory, short, short_99, real, real_99, layers, matches, matches_with_starts,
    )
}  # fmt: skip

if __name__ == "__main__":
    pin()
    around = ", ".join(sorted(cage(bare=False).layers)) or "no layers"
    serve(f"{version('suit-arena')}, uid {os.geteuid()}, {around}", game, MEASURES)
