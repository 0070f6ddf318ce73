"""The bare system: a Python that does nothing, and packets echoed by another process. Real time, one core."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from random import Random
from typing import Any, Final

from arena.games.base import Game
from arena.games.registry import game
from benchmarks.sides.caged import ASKS, SHORT
from benchmarks.sides.harness import Measure, Span, percentile, pin, serve, wall
from benchmarks.sides.positions import views

REPLY: Final = b'{"nonce":"0123456789abcdef","action":"2C"}'
ECHO: Final = (
    "import os, sys\nchannel, reply = int(sys.argv[1]), sys.argv[2].encode()\n"
    "while os.read(channel, 1 << 16):\n    os.write(channel, reply)\n"
)


def python(game: Game, rng: Random) -> Iterator[Span]:
    """Time of `python3 -c pass`."""
    while True:
        start = wall()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        yield wall() - start, 1


def request(view: Mapping[str, Any]) -> bytes:
    """Return a packet of the same length as a request to a bot."""
    whole = {"op": "act", "nonce": "0123456789abcdef", "view": view, "events": [], "time": 10.0}
    return json.dumps(whole, separators=(",", ":")).encode()


def echo(shown: Sequence[Mapping[str, Any]], part: float) -> Iterator[Span]:
    """Yield a percentile of the seconds until a minimal process has sent back a reply-sized packet."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, "-c", ECHO, str(theirs.fileno()), REPLY.decode()]
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
    turns = cycle([request(view) for view in shown])
    try:
        while True:
            yield percentile([bounce(ours.fileno(), next(turns)) for _ in range(ASKS)], part) * ASKS, ASKS
    finally:
        ours.close()
        process.wait()


def bounce(channel: int, packet: bytes) -> float:
    """Return the seconds from sending a packet to receiving one."""
    start = wall()
    os.write(channel, packet)
    os.read(channel, 1 << 16)
    return wall() - start


def short(game: Game, rng: Random) -> Iterator[Span]:
    """Median for a view of two cards."""
    return echo([SHORT], 0.5)


def short_99(game: Game, rng: Random) -> Iterator[Span]:
    """99th percentile for a view of two cards."""
    return echo([SHORT], 0.99)


def real(game: Game, rng: Random) -> Iterator[Span]:
    """Median for the views of a deal."""
    return echo(views(game, rng), 0.5)


def real_99(game: Game, rng: Random) -> Iterator[Span]:
    """99th percentile for the views of a deal."""
    return echo(views(game, rng), 0.99)


MEASURES: Final[Mapping[str, Measure]] = {
    measure.__name__: measure for measure in (python, short, short_99, real, real_99)
}

if __name__ == "__main__":
    pin()
    serve("the bare system", game, MEASURES)
