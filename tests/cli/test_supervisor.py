"""The supervisor: starts parts, starts them again, and leaves no process behind."""

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
    """A supervisor of two parts, in a process of its own."""
    command = [sys.executable, "-m", "tests.cli.supervised", str(folder), code]
    # As a shell starts what is put into the background: parts must hear of these signals all the same.
    command = ["env", "--ignore-signal=INT", "--ignore-signal=QUIT", *command]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def read_until(process: subprocess.Popen[str], word: str) -> list[str]:
    """The lines up to the one that starts with this word."""
    assert process.stdout
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.rstrip())
        if line.startswith(word):
            return lines
    raise AssertionError(f"the supervisor ended without {word!r}: {lines}")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_everything(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C, a polite kill and a closed terminal end all parts and their descendants, in other sessions too."""
    with supervised(tmp_path) as process:
        read_until(process, "watching")
        started = descendants(process.pid)
        process.send_signal(number)
        read_until(process, "stopped")

        assert len(started) == 4
        assert process.wait(30) == 0
        assert not [pid for pid in started if alive(pid)]


def test_a_part_that_dies_is_started_again(tmp_path: Path) -> None:
    """The operator is told which part died, how, and what it said last; what it left behind is gone."""
    with supervised(tmp_path) as process:
        pid = int(read_until(process, "one")[-1].split()[1])
        read_until(process, "watching")
        (left,) = descendants(pid)
        (tmp_path / "one.ready").unlink()
        os.kill(pid, signal.SIGKILL)
        lines = read_until(process, "    (log:")

        assert lines[0] == "one died: killed by SIGKILL. It is started again."
        assert "    at work" in lines
        until((tmp_path / "one.ready").exists, "the part is at work again")
        assert not alive(left)
        process.terminate()
        read_until(process, "stopped")


def test_a_part_that_keeps_dying_stops_everything(tmp_path: Path) -> None:
    """After its third death within a minute the reason is given and nothing is left running."""
    with supervised(tmp_path) as process:
        read_until(process, "watching")
        for _ in range(3):
            until((tmp_path / "two.ready").exists, "part two is at work")
            (tmp_path / "two.ready").unlink()
            (victim,) = [pid for pid in descendants(process.pid) if str(tmp_path / "two.ready") in command_of(pid)]
            os.kill(victim, signal.SIGKILL)
        lines = read_until(process, "stopped")

        assert "failed: two died 3 times within 60 seconds, at last: killed by SIGKILL." in lines
        assert process.wait(30) == 0


def test_a_part_that_cannot_start_says_why(tmp_path: Path) -> None:
    """A part that ends before it is ready is not tried again: its exit status and last words are shown."""
    with supervised(tmp_path, "raise SystemExit('no such database')") as process:
        lines = read_until(process, "stopped")

        assert "failed: two could not start: exit status 1." in lines
        assert "    no such database" in lines


def test_parts_do_not_outlive_a_killed_supervisor(tmp_path: Path) -> None:
    """kill -9 of the supervisor ends its parts."""
    with supervised(tmp_path) as process:
        pids = [int(line.split()[1]) for line in read_until(process, "watching")[:2]]
        left = [pid for part in pids for pid in descendants(part)]
        process.kill()
        process.wait()

        until(lambda: not any(map(alive, pids)), "the parts are gone")
        for pid in left:  # nobody is there any more who could end them: the test does
            os.kill(pid, signal.SIGKILL)


def test_a_part_that_will_not_stop_is_killed(tmp_path: Path) -> None:
    """A part that ignores every request is gone all the same."""
    code = "import signal; [signal.signal(n, signal.SIG_IGN) for n in (signal.SIGTERM, signal.SIGQUIT)]"
    with supervised(tmp_path, code) as process:
        read_until(process, "watching")
        started = descendants(process.pid)
        for _ in range(3):  # told again, it hurries
            process.terminate()
            until(lambda: not pending(process.pid), "the request is heard")
        read_until(process, "stopped")

        assert not [pid for pid in started if alive(pid)]


def pending(pid: int) -> bool:
    """Whether a signal waits to be taken by this process."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return False
    bits = next(int(line.split()[1], 16) for line in lines if line.startswith("ShdPnd"))
    return bool(bits >> (signal.SIGTERM - 1) & 1)
