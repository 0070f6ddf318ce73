"""How quick the cage is on this machine, now, and beside it two things that everybody has: Python, and a bare echo."""

import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from arena.sandbox.cage import Cage
from arena.sdk.player import Setup

_SOURCE: Final = b"def act(view):\n    return view.legal[0]\n"
_SETUP: Final = Setup("suitability", {"players": 4}, 0, ("a", "b", "c", "d"), 1)
_VIEW: Final[dict[str, Any]] = {"seat": 0, "phase": "play", "legal": ["2C", "3C"]}
_STARTS: Final = 20
_MOVES: Final = 1000
_PYTHONS: Final = 5
_PACKET: Final = 64
"""Bytes of an echo."""


@dataclass(frozen=True)
class Times:
    """Of one thing, repeated."""

    median: float
    p99: float


@dataclass(frozen=True)
class Speed:
    """On one core, as a worker and its bots are."""

    ready_ms: Times
    """From asking for a bot to its `on_start` having returned."""
    stop_ms: Times
    move_us: Times
    """From sending a view to having the answer of a bot that does not think."""
    python_ms: Times
    """``python3 -c pass``, for scale."""
    echo_us: Times
    """A packet to another process and back, without anything around it, for scale."""


def measure(cage: Cage) -> Speed:
    """Time bots of this cage. Raises ArenaFault."""
    starts = [_life(cage) for _ in range(_STARTS + 1)][1:]  # the first one's program has to be compiled
    ready, stop = zip(*starts, strict=True)
    return Speed(
        ready_ms=_times(ready, 1e3),
        stop_ms=_times(stop, 1e3),
        move_us=_times(_moves(cage), 1e6),
        python_ms=_times([_timed(_python) for _ in range(_PYTHONS)], 1e3),
        echo_us=_times(_echoes(), 1e6),
    )


@contextmanager
def one_core() -> Iterator[int | None]:
    """Keep this process on one core that it may use, meanwhile; its number, or None where that is refused."""
    before = os.sched_getaffinity(0)
    core: int | None = max(before)
    try:
        os.sched_setaffinity(0, {max(before)})
    except OSError:
        core = None
    try:
        yield core
    finally:
        with suppress(OSError):
            os.sched_setaffinity(0, before)


def _times(seconds: Sequence[float], scale: float) -> Times:
    ordered = sorted(seconds)
    late = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    return Times(round(statistics.median(ordered) * scale, 2), round(late * scale, 2))


def _life(cage: Cage) -> tuple[float, float]:
    """Seconds until a bot is ready, and until it has gone."""
    before = time.perf_counter()
    player = cage.player(_SOURCE)
    player.start(_SETUP)
    player.ready()
    ready = time.perf_counter()
    player.close()
    return ready - before, time.perf_counter() - ready


def _moves(cage: Cage) -> list[float]:
    player = cage.player(_SOURCE)
    player.start(_SETUP)
    player.ready()

    def move() -> None:
        player.ask(_VIEW, (), 10.0)
        player.reply()

    try:
        return [_timed(move) for _ in range(_MOVES)]
    finally:
        player.close()


def _timed(action: Callable[[], object]) -> float:
    before = time.perf_counter()
    action()
    return time.perf_counter() - before


def _python() -> None:
    subprocess.run([sys.executable, "-c", "pass"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)


def _echoes() -> list[float]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    packet = bytes(_PACKET)
    pid = os.fork()
    if pid == 0:
        ours.close()
        _echo(theirs.fileno())
    theirs.close()

    def there_and_back() -> None:
        ours.send(packet)
        ours.recv(_PACKET)

    try:
        return [_timed(there_and_back) for _ in range(_MOVES)]
    finally:
        ours.close()
        os.waitpid(pid, 0)


def _echo(descriptor: int) -> None:
    try:
        while packet := os.read(descriptor, _PACKET):
            os.write(descriptor, packet)
    finally:
        os._exit(0)
