"""Trying things in a process that is thrown away: whatever they do to it, this process stays what it was."""

import json
import os
import select
import signal
import time
from collections.abc import Callable
from typing import Any, Final, NoReturn

from arena.sandbox.inside import libc

PATIENCE: Final = 2.0
"""Seconds that one try may take: what hangs is killed."""
_PACKET: Final = 1 << 16


def outcome(attempt: Callable[[], object]) -> tuple[Any, int]:
    """What a function returns in a forked process (None where it does not), and how that process ended (waitpid(2))."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become(attempt, writer)
    os.close(writer)
    try:
        told = _read(reader)
    finally:
        os.close(reader)
        status = _end(pid)
    return (json.loads(told) if told else None), status


def refusal(attempt: Callable[[], object]) -> str:
    """Why the kernel refuses this, tried in a forked process; empty where it allows it."""

    def told() -> str:
        try:
            attempt()
        except OSError as error:
            return error.strerror or str(error)
        return ""

    why, status = outcome(told)
    return f"the process that tried it ended with {ending(status)}" if why is None else str(why)


def ending(status: int) -> str:
    """How a process ended, in words."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return f"signal {number} ({signal.strsignal(number)})"
    return f"status {os.WEXITSTATUS(status)}"


def _become(attempt: Callable[[], object], writer: int) -> NoReturn:
    status = 1
    try:
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        os.write(writer, json.dumps(attempt()).encode())
        status = 0
    finally:
        os._exit(status)


def _read(reader: int) -> bytes:
    ready, _, _ = select.select([reader], [], [], PATIENCE)
    return os.read(reader, _PACKET) if ready else b""


def _end(pid: int) -> int:
    """Collect the process; it is killed where it has not ended by itself soon after having said all."""
    deadline = time.monotonic() + PATIENCE / 4
    while time.monotonic() < deadline:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.0005)
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]
