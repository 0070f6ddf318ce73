"""Cages for all tests of the sandbox, and small hostile bots to put into them."""

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
from arena.sandbox.inside.syscalls import calls_of
from arena.sandbox.zygote import Zygote
from arena.sdk.faults import Fault
from arena.sdk.player import Setup
from tests.sandbox.attacks.attack import SPACES

VIEW: dict[str, Any] = {"seat": 0, "phase": "play", "legal": ["2C", "3C", "4C"]}
SETUP = Setup("suitability", {"players": 4}, 0, ("Ada", "Bob", "Cyd", "Dan"), 7)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Some of what attacks try to use up is counted for a user: no two of these tests run at once as the same one."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.xdist_group(f"uid {os.geteuid()}"))


Seat = Callable[..., Caged]
"""Makes a player of a source, ready; closed when the test ends."""
Cages = Callable[[Collection[str]], Cage]
"""Makes a cage without these layers, or finds it."""


@pytest.fixture(scope="session")
def engine() -> None:
    """This process as the engine: with a keyring that its children get, where it may with a host name of its own."""
    libc = ctypes.CDLL(None)
    libc.syscall(ctypes.c_long(calls_of(os.uname().machine)[1]["keyctl"]), 1, None)
    libc.unshare(0x04000000)


@pytest.fixture(scope="session")
def cage(engine: None) -> Iterator[Cage]:
    """The strictest cage that this machine can give."""
    with Cage("one") as cage:
        yield cage


class Partial(Cage):
    """A cage without some layers around each bot, in the zygote of another one: starting a zygote for each is slow."""

    def __init__(self, whole: Cage, without: Collection[str]) -> None:
        super().__init__("none", without=without)
        self._whole = whole
        self._images = whole._images

    def _running(self) -> Zygote:
        zygote = self._whole._running()
        self._layers = self._whole._layers - self._without
        return zygote


@pytest.fixture(scope="session")
def cages(engine: None) -> Iterator[Cages]:
    """Cages without some layers; the same ones for all tests."""
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
    """Seats bots and closes them all at the end."""
    players = []

    def make(source: str, limits: Limits = DEFAULT_LIMITS, cage: Cage = cage) -> Caged:
        player = cage.player(dedent(source).encode(), limits)
        players.append(player)
        player.start(SETUP)
        player.ready()
        return player

    yield make
    for player in players:
        player.close()


def acting(body: str) -> str:
    """The source of a bot with this body of `act`; `syscall(number, ...)` makes a bare system call: (result, errno)."""
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
    """What the bot answers to one request."""
    player.ask(VIEW, (), time_left)
    return player.reply().action


def wait_until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Look again and again until a condition holds. Fails where it does not come true."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.002)


def fault_of(player: Caged, time_left: float = 5.0) -> Fault:
    """The verdict on a bot that is asked once and fails."""
    with pytest.raises(Fault) as caught:
        answer(player, time_left)
    return caught.value
