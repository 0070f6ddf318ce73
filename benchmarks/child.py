"""An engine in an environment of its own, waiting to be measured."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Protocol, Self

from benchmarks.sides.measuring import Sample

ROOT: Final = Path(__file__).parents[1]
INSTALLED: Final = ROOT / ".bench"
"""Where `make bench` makes the environments of the others."""


class Command(NamedTuple):
    """What a side is asked to measure; see its module."""

    measure: str
    game: str
    options: Mapping[str, Any] = {}


class Side(Protocol):
    """Whoever can be measured."""

    @property
    def about(self) -> str:
        """What it is, or why it is not there."""

    def measure(self, command: Command | None, seed: int, budget: float) -> Sample | None:
        """Measure for about `budget` seconds; None where there is no such command, or nobody to ask."""


class Child:
    """A process that runs one of `benchmarks.sides`. Where it cannot, `trouble` says why, and it measures nothing."""

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
        """What it is, or why it is not there."""
        running = f"{self.version}, Python {self.python}" if self.version else ""
        return "; ".join(part for part in (running, self.trouble) if part)

    def measure(self, command: Command | None, seed: int, budget: float) -> Sample | None:
        """Measure for about `budget` seconds; None where there is no such command, or nobody to ask."""
        answer = self.ask(command, seed, budget) if command else None
        return Sample(*answer) if answer else None

    def ask(self, command: Command, seed: int, budget: float) -> Any:
        """What the side says to a command; None where nobody is there."""
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process:
            self.process.communicate()  # closes its input, which ends it
        self.errors.close()


def ours(side: str = "suit_arena") -> Child:
    """The arena's engine, or another side that the Python which runs this can run."""
    return Child(side, Path(sys.executable))


def other(side: str, installed: Path = INSTALLED) -> Child:
    """An engine of others, which `make bench` installed by the lock of the same name."""
    return Child(side, installed / side / "bin/python")
