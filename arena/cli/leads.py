"""Leads of a comparison's tables, kept on disk so that it can be resumed."""

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from arena.cli.crew import Setting

KEPT: Final = 50
"""Number of comparisons whose tables are kept."""


class Lead(NamedTuple):
    """Result of a table of a comparison."""

    half_points: int
    """Half points of B minus those of A."""
    faults: Mapping[int, int]
    """Matches with a fault, by bot."""


class Leads:
    """Leads of one comparison, in a file named by what decides its tables: bots, variant, boards and seed."""

    def __init__(self, setting: Setting, *, resume: bool) -> None:
        self._path = folder() / f"{_digest(setting)}.jsonl"
        self.earlier = _read(self._path) if resume else []
        """Leads of the tables played before."""
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            _prune(self._path.parent)
            self._path.write_text("".join(map(_line, self.earlier)), encoding="utf-8")

    def add(self, lead: Lead) -> None:
        """Keep the lead of the next table, if the disk allows it."""
        with suppress(OSError), self._path.open("a", encoding="utf-8") as file:
            file.write(_line(lead))


def folder() -> Path:
    """Return the folder of the files."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "suit-arena" / "comparisons"


def _digest(setting: Setting) -> str:
    sources = [[bot.name, hashlib.sha256(bot.source).hexdigest()] for bot in setting.bots]
    decisive = [sources, setting.variant, setting.rules.options, setting.boards, setting.seatings, setting.seed.hex()]
    return hashlib.sha256(json.dumps(decisive).encode()).hexdigest()[:32]


def _line(lead: Lead) -> str:
    return json.dumps([lead.half_points, lead.faults]) + "\n"


def _read(path: Path) -> list[Lead]:
    """Return the leads of a file up to its first damaged line; none if there is no file."""
    leads: list[Lead] = []
    with suppress(OSError, ValueError, TypeError, AttributeError):
        for line in path.read_text(encoding="utf-8").splitlines():
            half_points, faults = json.loads(line)
            leads.append(Lead(int(half_points), {int(entry): int(number) for entry, number in faults.items()}))
    return leads


def _prune(folder: Path) -> None:
    """Remove the oldest files."""
    files = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
    for path in files[:-KEPT]:
        path.unlink()
