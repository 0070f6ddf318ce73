"""A side of a benchmark that runs in a process and an environment of its own."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, Self

from benchmarks.sides.harness import Sample

ROOT: Final = Path(__file__).parents[1]
INSTALLED: Final = ROOT / ".bench"
"""Folder in which `make bench` installs the opponents."""


class Command(NamedTuple):
    """A measurement to request from a side; the side's module lists its commands."""

    measure: str
    game: str
    options: Mapping[str, Any] = {}


class Side(Protocol):
    """A system that can be measured."""

    @property
    def about(self) -> str:
        """Versions of the side, or the reason why it is unavailable."""

    def measure(self, command: Command | None, seed: int, budget: float) -> Sample | None:
        """Measure for about `budget` seconds. Returns None if there is no command or the side is unavailable."""


class Child:
    """A process that runs a module of `benchmarks.sides`.

    If the process cannot run, `trouble` holds the reason and every measurement is None.
    """

    def __init__(self, side: str, python: Path) -> None:
        self.version = self.python = self.trouble = ""
        self.process: subprocess.Popen[str] | None = None
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed by `__exit__`
        if not python.exists():
            self.trouble = "not installed"
            return
        self.process = subprocess.Popen(
            [python, "-m", f"benchmarks.sides.{side}"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True,
        )  # fmt: skip
        self.version, self.python = self._answer() or ("", "")

    @property
    def about(self) -> str:
        """Versions of the side, or the reason why it is unavailable."""
        running = f"{self.version}, Python {self.python}" if self.version else ""
        return "; ".join(part for part in (running, self.trouble) if part)

    def measure(self, command: Command | None, seed: int, budget: float) -> Sample | None:
        """Measure for about `budget` seconds. Returns None if there is no command or the side is unavailable."""
        answer = self.ask(command, seed, budget) if command else None
        return Sample(*answer) if answer else None

    def ask(self, command: Command, seed: int, budget: float) -> Any:
        """Send a command and return the decoded answer; None if the side is unavailable."""
        if self.process is None:
            return None
        assert self.process.stdin is not None  # noqa: S101 - narrows
        game = (command.game, command.options)
        print(json.dumps((command.measure, game, seed, budget)), file=self.process.stdin, flush=True)
        return self._answer()

    def _answer(self) -> Any:
        assert self.process is not None  # noqa: S101 - narrows
        assert self.process.stdout is not None  # noqa: S101
        if line := self.process.stdout.readline():
            return json.loads(line)
        self.process.wait()
        self.process = None
        self.errors.seek(0)
        self.trouble = "died: " + (self.errors.read().strip().splitlines() or ["without a word"])[-1]
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process:
            self.process.communicate()  # closing its input ends it
        self.errors.close()


def ours(side: str = "suit_arena") -> Child:
    """Return the arena's engine, or another side that runs on this Python."""
    return Child(side, Path(sys.executable))


def other(side: str, installed: Path = INSTALLED) -> Child:
    """Return an opponent that `make bench` installed from the lock file of the same name."""
    return Child(side, installed / side / "bin/python")
