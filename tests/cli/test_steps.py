"""Steps of `arena up` in processes of their own."""

import os
import signal
from pathlib import Path

import pytest

from arena.cli import migrate, steps
from arena.games.errors import ArenaFault, Misconfigured
from arena.settings import Settings
from tests import factories


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of an empty home."""
    return factories.settings_in(tmp_path)


def test_step_returns_result_of_another_process(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of the step ends with it."""
    monkeypatch.setattr(migrate, "prepare", lambda _: str(os.getpid()))

    pid = steps.prepare(settings, print)

    assert pid is not None
    assert int(pid) != os.getpid()
    assert not Path(f"/proc/{pid}").exists()


def test_error_of_step_is_raised_here(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its class decides the exit code, so it stays the same."""

    def refuse(_: Settings) -> None:
        raise Misconfigured("a newer release")

    monkeypatch.setattr(migrate, "prepare", refuse)

    with pytest.raises(Misconfigured, match="a newer release"):
        steps.prepare(settings, print)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_killed_step_is_explained(
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    number: signal.Signals,
) -> None:
    """The start ends with a sentence and without a traceback."""

    def killed(_: Settings) -> None:
        if number == signal.SIGINT:  # ignored if a shell started the tests in the background
            signal.signal(number, signal.default_int_handler)
        os.kill(os.getpid(), number)

    monkeypatch.setattr(migrate, "prepare", killed)

    with pytest.raises(ArenaFault, match="was killed"):
        steps.prepare(settings, print)
    assert capfd.readouterr().err == ""
