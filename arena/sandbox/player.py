"""A bot in its cage, as the referee sees it."""

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.sandbox import wire
from arena.sandbox.limits import Limits
from arena.sandbox.process import Process
from arena.sdk.faults import STAGES, Fault
from arena.sdk.player import Reply, Report, Setup


class CagedPlayer:
    """One process for one seat of one match; implements `arena.sdk.player.Player`."""

    def __init__(self, process: Process, limits: Limits) -> None:
        self._process = process
        self._limits = limits
        self._setup: Setup | None = None
        self._since = 0.0
        self.declared: wire.Ready | None = None

    @property
    def pid(self) -> int:
        """The process id of the bot; known after `ready`."""
        return self._process.pid

    @property
    def cpu(self) -> float:
        """CPU seconds that the bot has used in all; known after `ready`."""
        return self._process.cpu

    @property
    def wants_events(self) -> bool:
        """Whether the bot has an `on_event`; known after `ready`."""
        return self.declared is not None and self.declared.events

    def start(self, setup: Setup) -> None:
        """Begin loading; does not wait."""
        self._setup = setup

    def ready(self) -> None:
        """Wait until the bot is loaded and its `on_start` has returned; without a `start`, until it is constructed."""
        self._process.enter()
        self._process.stage = "import"
        self._process.ask(self._limits.load, "load", setup=self._setup)
        try:
            self.declared = self._loaded()
            self._process.stage = "play"
            self._since = self._process.rest()
        finally:
            self._process.hold()

    def _loaded(self) -> wire.Ready:
        """What the bot declares once it is loaded; it tells each stage at most once."""
        for _ in STAGES:
            packet = self._process.answer()
            if packet.ready:
                return packet.ready
            if packet.stage not in STAGES:
                break
            self._process.stage = packet.stage
        raise self._process.nonsense()

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        """Send a request; does not wait. `time_left` is the CPU time in seconds that the answer may cost."""
        self._process.ask(time_left, "act", view=view, events=events, time=time_left)
        self._since = self._process.asked_cpu

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        """Wait for the answer to the last `ask`; `watch` is called every few milliseconds meanwhile."""
        try:
            packet = self._process.answer(watch)
            if packet.action is None:
                raise self._process.nonsense()
            self._since = self._process.rest()
        finally:
            self._process.hold()
        wall = time.monotonic() - self._process.asked_at
        return Reply(packet.action, self._since - self._process.asked_cpu, wall)

    def computed(self) -> float:
        """CPU seconds since it was asked; where it has replied, since its reply: out of turn."""
        return self._process.cpu - self._since

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Tell the last events and the result; a bot that fails here has no fault."""
        with contextlib.suppress(Fault):
            self._process.ask(self._limits.end, "end", events=events, scores=scores, ranks=ranks)
            self._process.answer()

    def close(self) -> Report:
        """End it, whatever state it is in. Called once; never raises."""
        printed = self.output()
        ended = self._process.end()
        return Report(printed, ended.cpu, ended.memory)

    def output(self) -> str:
        """What it has printed so far."""
        return self._process.printed()


class UnbuiltPlayer:
    """A bot of which no program could be made: it fails as soon as it is to be ready."""

    pid = 0
    cpu = 0.0
    wants_events = False
    declared = None

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def start(self, setup: Setup) -> None:
        """Nothing to begin."""

    def ready(self) -> None:
        """Raises the Fault."""
        raise self._fault

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        """Raises the Fault."""
        raise self._fault

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        """Raises the Fault."""
        raise self._fault

    def computed(self) -> float:
        """Nothing."""
        return 0.0

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        """Nobody to tell."""

    def close(self) -> Report:
        """Nothing to end."""
        return Report(self.output(), 0.0, 0)

    def output(self) -> str:
        """It has not printed anything."""
        return ""
