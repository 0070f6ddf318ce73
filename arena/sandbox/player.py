"""A caged bot, as the referee sees it."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.sandbox import wire
from arena.sandbox.limits import Limits
from arena.sandbox.process import Process
from arena.sdk.faults import LOADING, Fault
from arena.sdk.player import Quiet, Reply, SeatReport, Setup


class CagedPlayer:
    """Process for one seat of one match; implements `arena.sdk.player.Player`."""

    def __init__(self, process: Process, limits: Limits) -> None:
        self._process = process
        self._limits = limits
        self._setup: Setup | None = None
        self._since = 0.0
        self._asked = False
        self._printed: list[int] = []
        self.declared: wire.Ready | None = None

    @property
    def pid(self) -> int:
        """Process id of the bot; known after `ready`."""
        return self._process.pid

    @property
    def cpu(self) -> float:
        """Total CPU seconds that the bot has used; known after `ready`."""
        return self._process.cpu

    @property
    def wants_events(self) -> bool:
        return self.declared is not None and self.declared.events

    @property
    def wants_forced(self) -> bool:
        return self.declared is not None and self.declared.forced

    def start(self, setup: Setup) -> None:
        self._setup = setup

    def ready(self) -> None:
        """Wait until `on_start` has returned, or without a preceding `start`, until the bot is constructed."""
        self._process.enter()
        self._process.stage = "import"
        self._process.ask(self._limits.load, "load", self._limits.nap, setup=self._setup)
        self.declared = self._loaded()
        self._process.stage = "play"
        self._since = self._process.pause()

    def _loaded(self) -> wire.Ready:
        """Wait for the declaration of the loaded bot. The process must report each stage of loading once, in order."""
        for stage in (*LOADING, None):
            packet = self._process.answer()
            if packet.ready:
                return wire.declared(packet.ready)
            if not stage or packet.stage != stage:
                break
            self._process.stage = stage
        raise self._process.wrong_kind()

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        self._process.ask(time_left, "act", view=view, events=events, time=time_left)
        self._since = self._process.asked_cpu
        self._asked = True

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        packet = self._process.answer(watch)
        if packet.action is None:
            raise self._process.wrong_kind()
        self._asked = False
        self._since = self._process.pause()
        process = self._process
        self._printed.append(process.written())
        return Reply(packet.action, self._since - process.asked_cpu, process.wall, process.idle.slept)

    def computed(self) -> float:
        if self._asked:
            self._process.answered()  # so that `Reply.wall` ends when the answer arrives, not when it is read
        return self._process.cpu - self._since

    def slept(self) -> float:
        return self._process.idle.slept

    def spent(self) -> float:
        return self._process.cpu + self._process.idle.total if self.declared else 0.0

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        with contextlib.suppress(Fault):
            self._process.ask(self._limits.end, "end", self._limits.nap, events=events, scores=scores, ranks=ranks)

    def ended(self) -> None:
        with contextlib.suppress(Fault):
            self._process.answer()

    def close(self) -> SeatReport:
        """Stop the process in any state. Call once; never raises."""
        printed, lengths = self.output(), self.printed()
        ended = self._process.end()
        return SeatReport(printed, ended.cpu, ended.memory, lengths)

    def output(self) -> str:
        """Return the output printed so far."""
        return self._process.printed()

    def printed(self) -> list[int]:
        """Return the length of the output at each answer so far, in characters."""
        return self._process.printed_at(self._printed)


class UnbuiltPlayer(Quiet):
    """A bot whose program could not be built; it fails as soon as it must be ready."""

    pid = 0
    cpu = 0.0
    declared = None

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def ready(self) -> None:
        raise self._fault

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        raise self._fault

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        raise self._fault

    def output(self) -> str:
        return ""

    def printed(self) -> list[int]:
        return []
