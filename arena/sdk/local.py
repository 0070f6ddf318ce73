"""A player in the current process, for authors: without a cage, so debuggers and print work as usual.

Its only limit is that on CPU time.
"""

import json
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from typing import Any, Final

from arena.sdk.faults import Fault
from arena.sdk.guest import Guest, load
from arena.sdk.modules import Modules, of_upload
from arena.sdk.player import Quiet, Reply, SeatReport, Setup
from arena.sdk.timer import TimeIsUp, limited

LOAD: Final = 5.0
"""CPU seconds for compiling, importing, constructing and `on_start` together."""
END: Final = 0.5
"""CPU seconds for `on_end`."""
OUTPUT: Final = 64 * 1024
"""Characters of printed output that are kept."""


class Printed(StringIO):
    """The beginning of what a bot prints."""

    def write(self, text: str) -> int:
        """Keep what fits."""
        return super().write(text[: max(OUTPUT - self.tell(), 0)])


class LocalPlayer(Quiet):
    """A bot file in one seat of one match. Use it only for code that you trust.

    `packages` refuses imports that would fail in an arena with these packages; by default nothing is refused. With
    `captured`, printed text goes into the report instead of this process's own output.
    """

    def __init__(
        self,
        source: bytes,
        filename: str,
        *,
        limited: bool = True,
        packages: Collection[str] | None = None,
        captured: bool = False,
    ) -> None:
        self.source = source
        self.limited = limited
        self.filename = filename
        self.packages = packages
        self.printed = Printed() if captured else None
        self.modules: Modules | None = None
        self.guest: Guest | None = None
        self.fault: Fault | None = None
        self.request: tuple[Mapping[str, Any], Sequence[Mapping[str, Any]], float] | None = None
        self.cpu = 0.0

    @property
    def wants_events(self) -> bool:  # type: ignore[override]
        return self.guest is not None and self.guest.wants_events

    @property
    def wants_forced(self) -> bool:  # type: ignore[override]
        return self.guest is not None and self.guest.wants_forced

    def start(self, setup: Setup) -> None:
        """Load the bot; errors are raised by `ready`."""
        try:
            self.modules = of_upload(self.source, self.filename, self.packages)
            with self.modules, self._limit(LOAD, f"loading a bot may take {LOAD:g} s of CPU time"):
                self.guest = Guest(load(self.modules))
                self.guest.start(setup)
        except Fault as fault:
            self.fault = fault

    @contextmanager
    def _limit(self, seconds: float, sentence: str) -> Iterator[None]:
        """Raise a `Fault` with this sentence if the bot uses up its time. Ctrl-C is no fault of the bot's."""
        try:
            with self._capture(), limited(seconds) if self.limited else nullcontext():
                yield
        except Fault as fault:
            if isinstance(fault.__context__, KeyboardInterrupt):
                raise fault.__context__ from None
            if isinstance(fault.__context__, TimeIsUp):
                raise Fault("timeout", sentence, fault.traceback, fault.line, fault.stage, file=fault.file) from None
            raise

    @contextmanager
    def _capture(self) -> Iterator[None]:
        with redirect_stdout(self.printed or sys.stdout), redirect_stderr(self.printed or sys.stderr):
            yield

    def ready(self) -> None:
        if self.fault:
            raise self.fault

    def ask(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], time_left: float) -> None:
        """Keep the request in the form in which a caged bot would read it; `reply` runs the bot."""
        self.request = (*json.loads(json.dumps([view, events])), time_left)

    def reply(self, watch: Callable[[], None] = lambda: None) -> Reply:
        assert self.modules and self.guest and self.request  # noqa: S101, PT018
        *_, left = self.request
        with self.modules, self._limit(left, f"it had {left:.2f} s of CPU time left and used it up over one answer"):
            cpu, wall = time.thread_time(), time.monotonic()
            try:
                action = self.guest.act(*self.request)
            finally:
                spent = time.thread_time() - cpu
                self.cpu += spent
        return Reply(action, spent, time.monotonic() - wall)

    def spent(self) -> float:
        return self.cpu

    def end(self, events: Sequence[Mapping[str, Any]], scores: Sequence[int], ranks: Sequence[int]) -> None:
        if self.modules and self.guest:
            with suppress(Fault), self.modules, self._limit(END, ""):
                self.guest.end(events, scores, ranks)

    def close(self) -> SeatReport:
        """Return the report, with what was printed if it was captured."""
        return SeatReport(self.printed.getvalue() if self.printed else "", self.cpu, 0)


def inspect(source: bytes, filename: str = "bot.py", packages: Collection[str] | None = None) -> tuple[str, ...] | None:
    """Load a trusted bot and return the IDs of its declared games; None for all. Raises `Fault`."""
    with of_upload(source, filename, packages) as modules:
        return load(modules).games
