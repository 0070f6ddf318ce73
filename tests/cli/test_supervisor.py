"""The supervisor starts and restarts parts and leaves no process behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.processes import alive, command_of, descendants, until

pytestmark = pytest.mark.service


@contextmanager
def supervised(folder: Path, code: str = "") -> Iterator[subprocess.Popen[str]]:
    """Runs a supervisor of two parts in its own process."""
    command = [sys.executable, "-m", "tests.cli.supervised", str(folder), code]
    # Background jobs of a shell ignore these signals, but parts must receive them.
    command = ["env", "--ignore-signal=INT", "--ignore-signal=QUIT", *command]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def read_until(process: subprocess.Popen[str], word: str) -> list[str]:
    """Return the lines up to one that starts with `word`."""
    assert process.stdout
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.rstrip())
        if line.startswith(word):
            return lines
    raise AssertionError(f"the supervisor ended without {word!r}: {lines}")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_stops_everything(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C, SIGTERM and a closed terminal end all parts and their descendants, also in other sessions."""
    with supervised(tmp_path) as process:
        read_until(process, "watching")
        started = descendants(process.pid)
        process.send_signal(number)
        read_until(process, "stopped")

        assert len(started) == 4
        assert process.wait(30) == 0
        assert not [pid for pid in started if alive(pid)]


def test_dead_part_is_restarted(tmp_path: Path) -> None:
    """The message has the part, the cause, and its last output; its orphans are gone."""
    with supervised(tmp_path) as process:
        pid = int(read_until(process, "one")[-1].split()[1])
        read_until(process, "watching")
        (left,) = descendants(pid)
        (tmp_path / "one.ready").unlink()
        os.kill(pid, signal.SIGKILL)
        lines = read_until(process, "    (log:")

        assert lines[0] == "one died: killed by SIGKILL. Restarting it."
        assert "    at work" in lines
        until((tmp_path / "one.ready").exists, "the part is at work again")
        assert not alive(left)
        process.terminate()
        read_until(process, "stopped")


def test_repeated_deaths_stop_everything(tmp_path: Path) -> None:
    """After its third death within a minute, the reason is printed and no process remains."""
    with supervised(tmp_path) as process:
        read_until(process, "watching")
        for _ in range(3):
            until((tmp_path / "two.ready").exists, "part two is at work")
            (tmp_path / "two.ready").unlink()
            (victim,) = [pid for pid in descendants(process.pid) if str(tmp_path / "two.ready") in command_of(pid)]
            os.kill(victim, signal.SIGKILL)
        lines = read_until(process, "stopped")

        assert "failed: two died 3 times within 60 seconds, most recently: killed by SIGKILL." in lines
        assert process.wait(30) == 0


def test_failed_start_is_explained(tmp_path: Path) -> None:
    """A part that ends before it is ready is not retried; its exit status and last output are shown."""
    with supervised(tmp_path, "raise SystemExit('no such database')") as process:
        lines = read_until(process, "stopped")

        assert "failed: two could not start: exit status 1." in lines
        assert "    no such database" in lines


def test_parts_do_not_outlive_a_killed_supervisor(tmp_path: Path) -> None:
    """SIGKILL of the supervisor ends its parts."""
    with supervised(tmp_path) as process:
        pids = [int(line.split()[1]) for line in read_until(process, "watching")[:2]]
        left = [pid for part in pids for pid in descendants(part)]
        process.kill()
        process.wait()

        until(lambda: not any(map(alive, pids)), "the parts are gone")
        for pid in left:  # no supervisor is left to reap them, so the test does
            os.kill(pid, signal.SIGKILL)


def test_unresponsive_part_is_killed(tmp_path: Path) -> None:
    """A part that ignores every signal is killed."""
    code = "import signal; [signal.signal(n, signal.SIG_IGN) for n in (signal.SIGTERM, signal.SIGQUIT)]"
    with supervised(tmp_path, code) as process:
        read_until(process, "watching")
        started = descendants(process.pid)
        for _ in range(3):  # a second signal shortens the grace
            process.terminate()
            until(lambda: not pending(process.pid), "the request is heard")
        read_until(process, "stopped")

        assert not [pid for pid in started if alive(pid)]


def pending(pid: int) -> bool:
    """Return whether a signal is pending for this process."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return False
    bits = next(int(line.split()[1], 16) for line in lines if line.startswith("ShdPnd"))
    return bool(bits >> (signal.SIGTERM - 1) & 1)
