"""Tables played by several processes."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.util import Finalize
from typing import Any, cast

import pytest

from arena.cli import crew
from arena.cli.bots import Room
from arena.cli.crew import Setting, play_all
from arena.services.play.table import TableResult


@dataclass(frozen=True)
class Stubborn(Setting):
    """Answers the first table; at all others takes the signal to end for a failure of a bot, as in this process."""

    def play(self, room: Room, number: int, entries: Sequence[int]) -> TableResult:
        """Return no result."""
        while number:
            with suppress(SystemExit):
                signal.pause()
        return cast("TableResult", None)


@dataclass(frozen=True)
class Quick(Setting):
    """Plays nothing."""

    def play(self, room: Room, number: int, entries: Sequence[int]) -> TableResult:
        """Return no result."""
        return cast("TableResult", None)


@contextmanager
def signalled_late() -> Iterator[Any]:
    """Open a room whose process gets the signal to end while it is ending."""
    Finalize(None, signal.raise_signal, args=(signal.SIGTERM,), exitpriority=1)
    yield None


@contextmanager
def nothing() -> Iterator[Any]:
    """Open no room."""
    yield None


@pytest.mark.timeout(60)
def test_process_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command ends although a process is still at a table that nobody needs."""
    monkeypatch.setattr(crew, "PATIENCE", 0.1)
    rules: Any = None
    played = play_all(Stubborn((), "suitability-4", rules, 1, "", b""), nothing, [(0, ()), (1, ())], 2)

    assert next(played).number == 0
    played.close()  # type: ignore[attr-defined]


@pytest.mark.timeout(60)
def test_nothing_is_printed_if_no_further_table_is_wanted(capfd: pytest.CaptureFixture[str]) -> None:
    """Processes that are ending are not interrupted, for example when a comparison is clear before its last table."""
    rules: Any = None
    tables = ((number, ()) for number in range(1000))
    played = play_all(Quick((), "suitability-4", rules, 1, "", b""), signalled_late, tables, 2)

    assert next(played).number == 0
    played.close()  # type: ignore[attr-defined]
    assert capfd.readouterr().err == ""
