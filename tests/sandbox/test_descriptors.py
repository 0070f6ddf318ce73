"""Every descriptor is closed when the system refuses a call, wherever it does so."""

import errno
import fcntl
import os
import socket
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox import DEFAULT_LIMITS, Cage
from arena.sdk.faults import Fault

CALLS: Final[tuple[tuple[Any, str], ...]] = (
    (socket, "socketpair"),
    (socket, "send_fds"),
    (subprocess, "Popen"),
    (os, "memfd_create"),
    (os, "pidfd_open"),
    (os, "sendfile"),
    (os, "fstat"),
    (fcntl, "fcntl"),
)
"""Calls that open descriptors, or use them before somebody owns them."""
SOURCE: Final = b"def act(view):\n    return view.legal[0]\n"


class Refusal:
    """Makes one of the calls fail as if too many files were open: the one with this number, counted from 0."""

    def __init__(self, number: int) -> None:
        self.left = number
        self.name = ""

    def wrap(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return the call, which fails if it is its turn."""

        def counting(*words: Any, **named: Any) -> Any:
            self.left -= 1
            if self.left == -1:
                self.name = name
                raise OSError(errno.EMFILE, "Too many open files")
            return call(*words, **named)

        return counting


def descriptors() -> dict[str, str]:
    """Return the target of each descriptor of this process, by its number."""
    found = {}
    for entry in Path("/proc/self/fd").iterdir():
        try:
            found[entry.name] = str(entry.readlink())
        except FileNotFoundError:  # that of the folder itself
            continue
    return {number: target for number, target in found.items() if not target.endswith("/fd")}


def use(cage: Cage) -> str:
    """Load a bot in the cage; return the error, or an empty text."""
    try:
        cage.inspect(SOURCE, replace(DEFAULT_LIMITS, bracket=True))
    except (ArenaFault, Fault) as error:
        return str(error)
    return ""


def test_every_refused_call_is_a_fault_of_the_arena_and_leaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call fails once, in a new cage: the next bot runs, and the cage closes all that it opened."""
    refused: list[str] = []
    number = 0
    while number == len(refused):
        before = descriptors()
        with monkeypatch.context() as patch, Cage("none") as cage:
            refusal = Refusal(number)
            for module, name in CALLS:
                patch.setattr(module, name, refusal.wrap(name, getattr(module, name)))
            said = use(cage)
            refusal.left = 1 << 30
            assert use(cage) == ""
        assert descriptors() == before, refusal.name
        refused += [refusal.name] if refusal.name else []
        assert said or refusal.name in ("", "send_fds"), refusal.name  # ending a bot never raises
        number += 1

    assert set(refused) >= {"socketpair", "Popen", "memfd_create", "pidfd_open", "sendfile", "fcntl", "send_fds"}
