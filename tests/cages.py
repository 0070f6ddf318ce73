"""Cages for tests of what is done with bots, not of how they are held: one without bars, and one that refuses all."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import Cage
from arena.sdk import local
from arena.sdk.player import Reply, Report


class LocalPlayer(local.LocalPlayer):
    """A bot in this process, on no clock."""

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        return super().reply()._replace(cpu=0.0, wall=0.0)

    def close(self) -> Report:
        return Report("printed\0 by the bot", 0.5, 1024)


class LocalCage:
    """Makes such players. `before` is called before each of them and may raise; `level` is what it says of itself."""

    def __init__(self, before: Callable[[], None] = lambda: None, level: str = "both") -> None:
        self.before = before
        self.level = level

    def player(self, source: bytes) -> LocalPlayer:
        self.before()
        return LocalPlayer(source, "bot.py")

    def inspect(self, source: bytes) -> Sequence[str] | None:
        self.before()
        return local.inspect(source)


def broken() -> None:
    """What a cage does on a machine that fails: use as `before`."""
    raise ArenaFault("the zygote did not answer")


@contextmanager
def refusing() -> Iterator[Cage]:
    """A real cage that passes its probe and fails at every fork: for its last layers the kernel wants no_new_privs."""
    if "NoNewPrivs:\t1" in Path("/proc/self/status").read_text():
        pytest.skip("needs a process that may still gain privileges: without no_new_privs no layer fails in this one")
    with Cage("one", without=["no_new_privs"]) as cage:
        yield cage
