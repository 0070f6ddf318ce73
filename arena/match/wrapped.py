"""A player around another one, which passes everything on."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.sdk.player import Player, Reply, SeatReport, Setup


class Wrapped:
    """A player that passes everything on, except for what a subclass does itself."""

    def __init__(self, player: Player) -> None:
        self._player = player

    @property
    def wants_events(self) -> bool:
        return self._player.wants_events

    @property
    def wants_forced(self) -> bool:
        return self._player.wants_forced

    def start(self, setup: Setup) -> None:
        self._player.start(setup)

    def ready(self) -> None:
        self._player.ready()

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        self._player.ask(view, events, time_left)

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        return self._player.reply(watch)

    def computed(self) -> float:
        return self._player.computed()

    def slept(self) -> float:
        return self._player.slept()

    def spent(self) -> float:
        return self._player.spent()

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        self._player.end(events, scores, ranks)

    def ended(self) -> None:
        self._player.ended()

    def close(self) -> SeatReport:
        return self._player.close()
