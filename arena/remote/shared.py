"""A Python bot that plays several matches side by side in this process."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from arena.sdk.faults import Fault
from arena.sdk.guest import Guest, Loaded, load
from arena.sdk.modules import of_upload
from arena.sdk.player import Quiet, Reply, Setup


class SharedBot:
    """A bot whose modules are loaded once, so that its matches share what they hold, such as a model on a GPU.

    Its modules stay importable in this process, which therefore has no other bot. Raises `Fault`.
    """

    def __init__(self, source: bytes, filename: str) -> None:
        modules = of_upload(source, filename)
        modules.enter()
        self._loaded = load(modules)

    def player(self) -> "SharedPlayer":
        """Return a player for one seat of one match."""
        return SharedPlayer(self._loaded)


class SharedPlayer(Quiet):
    """An object of the bot, for one seat of one match, without limits. It is used in one thread."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._guest: Guest | None = None
        self._asked: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]], float]

    @property
    def wants_events(self) -> bool:  # type: ignore[override]
        return self._guest is not None and self._guest.wants_events

    def start(self, setup: Setup) -> None:
        self._guest = Guest(self._loaded)
        self._guest.start(setup)

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        """Keep the question; `reply` runs the bot."""
        self._asked = view, events, time_left

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        assert self._guest  # noqa: S101
        began = monotonic()
        action = self._guest.act(*self._asked)
        return Reply(action, 0.0, monotonic() - began)

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        if self._guest:
            with suppress(Fault):
                self._guest.end(events, scores, ranks)
