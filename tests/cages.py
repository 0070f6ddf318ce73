"""A cage without bars: bots run in this process. For tests of what is done with them, not of how they are held."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.games.errors import ArenaFault
from arena.sdk.guest import Guest, load
from arena.sdk.player import Reply, Report, Setup


class LocalPlayer:
    """A bot in this process, on no clock."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.guest: Guest | None = None
        self.setup: Setup | None = None
        self.asked: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]], float] | None = None

    @property
    def wants_events(self) -> bool:
        return self.guest is not None and self.guest.wants_events

    def start(self, setup: Setup) -> None:
        self.setup = setup

    def ready(self) -> None:
        self.guest = Guest(load(self.source))
        assert self.setup is not None
        self.guest.start(self.setup)

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        self.asked = (view, events, time_left)

    def reply(self) -> Reply:
        assert self.guest is not None
        assert self.asked is not None
        return Reply(self.guest.act(*self.asked), 0.0, 0.0, 0.0)

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        assert self.guest is not None
        self.guest.end(events, scores, ranks)

    def close(self) -> Report:
        return Report("printed\0 by the bot", 0.5, 1024)


class LocalCage:
    """Makes such players. `before` is called before each of them and may raise."""

    def __init__(self, before: Callable[[], None] = lambda: None) -> None:
        self.before = before

    def player(self, source: bytes) -> LocalPlayer:
        self.before()
        return LocalPlayer(source)

    def inspect(self, source: bytes) -> Sequence[str] | None:
        self.before()
        return load(source).games


def broken() -> None:
    """What a cage does on a machine that fails: use as `before`."""
    raise ArenaFault("the zygote did not answer")
