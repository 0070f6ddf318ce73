"""Cages for tests that do not test the cage itself: one without protection, and one that fails to start every bot."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import Cage
from arena.sdk import local
from arena.sdk.player import Reply, SeatReport


class LocalPlayer(local.LocalPlayer):
    """A bot in this process, without a clock."""

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        return super().reply()._replace(cpu=0.0, wall=0.0)

    def close(self) -> SeatReport:
        return SeatReport("printed\0 by the bot", 0.5, 1024)


class LocalCage:
    """A cage of local players.

    `before` is called before each player is created and may raise; `level` is its reported level.
    """

    def __init__(self, before: Callable[[], None] = lambda: None, level: str = "both") -> None:
        self.before = before
        self.level = level
        self.packages = {"python": "3.11.7", "numpy": "2.4.6"}
        self.refused: dict[str, str] = {}

    def player(self, source: bytes, *, seat: int) -> LocalPlayer:
        self.before()
        return LocalPlayer(source, "bot.py")

    def inspect(self, source: bytes) -> Sequence[str] | None:
        self.before()
        return local.inspect(source)


def fail_to_start() -> None:
    """Fail like a cage on a broken machine; use as `before`."""
    raise ArenaFault("the zygote did not answer")


@contextmanager
def refusing_cage() -> Iterator[Cage]:
    """Yield a real cage that passes its probe and fails at every fork, because its last layers require no_new_privs."""
    if "NoNewPrivs:\t1" in Path("/proc/self/status").read_text():
        pytest.skip("needs a process that may still gain privileges: without no_new_privs no layer fails in this one")
    with Cage("one", without=["no_new_privs"]) as cage:
        yield cage
