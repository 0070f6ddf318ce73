"""The supervisor starts and restarts parts and leaves no process behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.exits import ExitCode
from tests.cli.processes import alive, command_of, descendants, until

pytestmark = pytest.mark.service


@contextmanager
def supervised(folder: Path, code: str = "", *seconds: str) -> Iterator[subprocess.Popen[str]]:
    """Runs a supervisor of two parts in its own process."""
    command = [sys.executable, "-m", "tests.cli.supervised", str(folder), code, *seconds]
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


def test_time_ends_everything(tmp_path: Path) -> None:
    """Parts that run for a limited time are stopped without a signal."""
    with supervised(tmp_path, "", "0.5") as process:
        read_until(process, "watching")
        started = descendants(process.pid)

        assert read_until(process, "stopped")[-1] == "stopped"
        assert len(started) == 4
        assert process.wait(30) == 0
        assert not [pid for pid in started if alive(pid)]


def test_signal_at_the_end_of_the_time_counts(tmp_path: Path) -> None:
    """A signal while parts are being stopped is not lost: nobody starts them again."""
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    with supervised(tmp_path, code, "0.5") as process:
        read_until(process, "stopping")
        process.terminate()

        assert read_until(process, "stopped")[-1] == "stopped by a signal"


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


def kill(supervisor: subprocess.Popen[str], folder: Path, name: str) -> None:
    """Kill a part as soon as it is at work."""
    ready = folder / f"{name}.ready"
    until(ready.exists, f"part {name} is at work")
    ready.unlink()
    (victim,) = [pid for pid in descendants(supervisor.pid) if str(ready) in command_of(pid)]
    os.kill(victim, signal.SIGKILL)


def test_repeated_deaths_pause_that_part_alone(tmp_path: Path) -> None:
    """The pauses grow and are reported, the outage ends when the part is ready, and the other part keeps running."""
    with supervised(tmp_path) as process:
        one = int(read_until(process, "one")[-1].split()[1])
        read_until(process, "watching")
        for then in ("Restarting it.", "Next start in 0.2 s.", "Next start in 0.4 s.", "Next start in 0.4 s."):
            kill(process, tmp_path, "two")
            assert read_until(process, "two died")[-1] == f"two died: killed by SIGKILL. {then}"
        assert read_until(process, "outages")[-1] == "outages: two (killed by SIGKILL)"
        assert read_until(process, "two ready")[-1] == "two ready again."
        assert read_until(process, "outages")[-1] == "outages: none"

        assert alive(one)
        process.terminate()
        read_until(process, "stopped")


def test_part_that_cannot_be_started_is_tried_again(tmp_path: Path) -> None:
    """The reason is reported, and the part starts when it can."""
    with supervised(tmp_path) as process:
        read_until(process, "watching")
        (tmp_path / "two.full").touch()
        kill(process, tmp_path, "two")

        read_until(process, "two could not start: No space left on device. Next start in 0.4 s.")
        (tmp_path / "two.full").unlink()
        read_until(process, "two ready again.")
        process.terminate()
        read_until(process, "stopped")


def test_part_that_can_never_work_stops_everything(tmp_path: Path) -> None:
    """An exit status for a configuration error is not retried; the part's last output is shown."""
    code = f"""
if Path({str(tmp_path / "once")!r}).exists():
    print("arena: the database is of a newer release")
    sys.exit({ExitCode.MISCONFIGURED:d})
Path({str(tmp_path / "once")!r}).touch()
"""
    with supervised(tmp_path, code) as process:
        read_until(process, "watching")
        kill(process, tmp_path, "two")
        lines = read_until(process, "stopped")

        assert "failed: two cannot work with these settings and this database." in lines
        assert "    arena: the database is of a newer release" in lines
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
