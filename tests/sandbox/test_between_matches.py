"""Nothing passes from one match to the next. Boards recur within a table, so a single bit would be worth cards."""

import json
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest

from arena.sandbox import Cage
from arena.sandbox.limits import DEFAULT_LIMITS, Limits
from arena.sdk.faults import Fault
from tests.sandbox.conftest import SETUP, VIEW, acting

PLAYERS = 4
CLOCK_MONOTONIC_COARSE: Final = 6
"""On Linux, the clock that the timer's interrupts advance."""
WRITERS = {
    "memory": "x = bytearray((40 + 10 * view.seat) << 20)\nreturn '2C'",
    "memory in small pieces": "global x\nx = [object() for _ in range(10 ** 6)]\nreturn '2C'",
    "time": "for _ in range(10 ** 6 * (1 + view.seat)): pass\nreturn '2C'",
    "a wait": "import queue\nreturn queue.SimpleQueue().get()",
    "output": "print('x' * 4000 * (1 + view.seat))\nreturn '2C'",
    "exit status": "os._exit(10 + view.seat)",
    "a crash": "ctypes.string_at(view.seat)",
    "an exception": "raise ValueError('x' * 1000 * (1 + view.seat))",
    "a forbidden call": "syscall(57 if view.seat % 2 else 101, 0, 0, 0)",
    "all memory": "x = []\nwhile True: x.append(bytearray(1 << 20))",
    "pages of the libraries": "import math\nfor name in dir(math): str(getattr(math, name))\nreturn '2C'",
    "a large upload": f"x = {'y' * 200_000!r}\nreturn '2C'",
}
"""Ways in which a bot might leave traces."""

READER = """
import ctypes, gc, json, os, sys

def frames():
    frame, seen = sys._getframe(2), []
    while frame:
        seen.append((frame.f_code.co_name, frame.f_lineno, sorted(map(known, frame.f_locals.items()))))
        frame = frame.f_back
    return seen

def known(item):
    name, value = item
    own = name in ("nonce", "packet")  # of the request that is being answered
    return name, value if isinstance(value, (int, str, bytes, tuple)) and not own else type(value).__name__

def descriptors():
    found = []
    for number in range(70):
        if number not in (1, 2, 3):
            try: os.write(number, b"")
            except OSError as error: found.append(error.errno)
            else: found.append(0)
    return hash(tuple(found))

def objects():
    kinds = {}
    for one in gc.get_objects():
        kinds[type(one).__name__] = kinds.get(type(one).__name__, 0) + 1
    return kinds

def act(view):
    block, mapped = ctypes.create_string_buffer(100_000), bytearray(1 << 22)
    print(json.dumps({
        "frames": frames(),
        "objects": objects(),
        "blocks": sys.getallocatedblocks(),
        "descriptors": descriptors(),
        "layout": (id(object()), id(view), ctypes.addressof(block), id(mapped)),
        "modules": len(sys.modules),
        "collections": gc.get_stats(),
    }, default=str))
    return "2C"
"""


WARM: Final = 3
"""Matches played before the first one that counts."""


@pytest.fixture(scope="module")
def own() -> Iterator[Cage]:
    """A cage in which some matches were played."""
    with Cage("one") as cage:
        for _ in range(WARM):
            play(cage, [READER] * PLAYERS, range(PLAYERS))
        yield cage


def play(cage: Cage, sources: Sequence[str], order: Sequence[int], limits: Limits = DEFAULT_LIMITS) -> list[str]:
    """Play a match with one move for each seat, end the bots in this order, and return their output."""
    players = [cage.player(source.encode(), limits, seat=seat) for seat, source in enumerate(sources)]
    for seat, player in enumerate(players):
        player.start(SETUP._replace(seat=seat))
        player.ready()
    for seat, player in enumerate(players):
        player.ask(VIEW | {"seat": seat}, (), 5.0)
        try:
            player.reply()
        except Fault:
            player.output()
    printed = [player.output() for player in players]
    for seat in order:
        players[seat].close()
    return printed


def read(cage: Cage) -> list[Any]:
    """Return what a bot in each seat finds in its own process."""
    return [json.loads(text) for text in play(cage, [READER] * PLAYERS, range(PLAYERS))]


@pytest.mark.parametrize("name", WRITERS)
def test_earlier_matches_leave_no_traces(own: Cage, name: str) -> None:
    """Frames, objects, addresses, ids, descriptors and counters do not depend on earlier bots."""
    first = read(own)
    limits = Limits(memory=128 << 20, idle=0.2)
    play(own, [acting(WRITERS[name])] * PLAYERS, [2, 0, 3, 1], limits)
    play(own, [acting(WRITERS[name])] + [acting("return '2C'")] * (PLAYERS - 1), [3, 2, 1, 0], limits)

    for seat, found in enumerate(read(own)):
        for what, value in found.items():
            assert value == first[seat][what], f"{what} of seat {seat}"


def test_matches_start_at_any_phase_of_the_timer(own: Cage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first seat waits for a random part of the timer's period, so no match chooses when the next starts."""
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    period = time.clock_getres(CLOCK_MONOTONIC_COARSE)
    matches = 40

    for _ in range(matches):
        for player in [own.player(b"", seat=seat) for seat in range(2)]:
            player.close()

    assert len(waits) == matches
    assert {int(4 * wait / period) for wait in waits} == {0, 1, 2, 3}
