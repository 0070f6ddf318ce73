"""Cages for the tests of the sandbox, and helpers for small hostile bots."""

import ctypes
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from arena.sandbox import DEFAULT_LIMITS, Cage, Limits
from arena.sandbox.cage import Caged
from arena.sandbox.doctor.alone import Partial
from arena.sandbox.inside.syscalls import calls_of
from arena.sdk.faults import Fault
from arena.sdk.player import Setup
from tests.sandbox.attacks.attack import SPACES

VIEW: dict[str, Any] = {"seat": 0, "phase": "play", "legal": ["2C", "3C", "4C"]}
SETUP = Setup("suitability", {"players": 4}, 0, ("Ada", "Bob", "Cyd", "Dan"), 7)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run tests of the same user one at a time, because attacks use up resources that are limited per user."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.xdist_group(f"uid {os.geteuid()}"))


Seat = Callable[..., Caged]
"""Creates a player from source and makes it ready. The player is closed when the test ends."""
Cages = Callable[[Collection[str]], Cage]
"""Returns a cage without these layers."""


@pytest.fixture(scope="session")
def engine() -> None:
    """Prepare this process as the engine: with a keyring for its children and, if permitted, its own host name."""
    libc = ctypes.CDLL(None)
    libc.syscall(ctypes.c_long(calls_of(os.uname().machine)[1]["keyctl"]), 1, None)
    libc.unshare(0x04000000)


@pytest.fixture(scope="session")
def cage(engine: None) -> Iterator[Cage]:
    """The strictest cage that this machine supports."""
    with Cage("one") as cage:
        yield cage


@pytest.fixture(scope="session")
def cages(engine: None) -> Iterator[Cages]:
    """Cages without some layers, shared by all tests."""
    wholes: dict[frozenset[str], Cage] = {}
    with ExitStack() as stack:

        def without(names: Collection[str]) -> Cage:
            around = frozenset(names) & frozenset(SPACES)
            if around not in wholes:
                wholes[around] = stack.enter_context(Cage("none", without=around))
            return Partial(wholes[around], names)

        yield without


@pytest.fixture
def seat(cage: Cage) -> Iterator[Seat]:
    """Seat bots and close them at the end."""
    players: list[Caged] = []

    def make(source: str, limits: Limits = DEFAULT_LIMITS, cage: Cage = cage) -> Caged:
        player = cage.player(dedent(source).encode(), limits, seat=len(players))
        players.append(player)
        player.start(SETUP)
        player.ready()
        return player

    yield make
    for player in players:
        player.close()


def acting(body: str) -> str:
    """Return the source of a bot with this body of `act`, in which `syscall(number, ...)` returns (result, errno)."""
    return _TOOLS + "def act(view):\n" + indent(dedent(body), "    ")


_TOOLS = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

def syscall(*arguments):
    result = libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    return result, ctypes.get_errno()

"""


def answer(player: Caged, time_left: float = 5.0) -> str:
    """Return the bot's answer to one request."""
    player.ask(VIEW, (), time_left)
    return player.reply().action


def wait_until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait until a condition holds; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.002)


def fault_of(player: Caged, time_left: float = 5.0) -> Fault:
    """Return the verdict on a bot that fails at one request."""
    with pytest.raises(Fault) as caught:
        answer(player, time_left)
    return caught.value
