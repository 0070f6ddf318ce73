"""View models of the arena's health."""

from dataclasses import dataclass
from datetime import datetime

UPLOAD, PLACEMENT, TOURNAMENT, TRIAL, LADDER = "upload", "placement", "tournament", "trial", "ladder"
"""Kinds of work, in the order in which workers take it."""


@dataclass(frozen=True)
class Work:
    """Open work of one kind."""

    kind: str
    """``upload``, ``placement`` (of an upload), ``tournament``, ``trial`` or ``ladder``."""
    waiting: int
    """Number of uploads or tables that wait."""
    playing: int
    """Number of uploads or tables that workers hold."""
    oldest: float | None
    """Age in seconds of the oldest open upload, or of the oldest running tournament with open tables; None if idle."""


@dataclass(frozen=True)
class Figures:
    """Figures of the whole arena."""

    work: tuple[Work, ...]
    given_up: int
    """Number of tables given up after repeated failures of the arena."""
    unrated: int
    """Number of settled tables that the fold has not reached."""
    database: int
    """Size of the database in bytes."""


@dataclass(frozen=True)
class Check:
    """One condition of readiness."""

    name: str
    holds: bool
    says: str
    """Sentence that explains the result."""


@dataclass(frozen=True)
class ProcessRow:
    """A process of the arena."""

    name: str
    """Host and process ID."""
    kind: str
    """``worker`` or ``web``."""
    release: str
    state: str
    """A `ProcessState`, or ``silent`` if it no longer reports."""
    detail: str
    """What it works on, or why it is paused or out."""
    since: datetime
    """Time at which it entered its state."""
    started: datetime
    seen: datetime
    """Time of its last sign of life."""
    held: datetime | None
    """Time at which it last held a bot."""
    packages: dict[str, str] | None
    """Versions of Python and of the packages that its bots can import, by name; None if it has held no bot."""
    refused: dict[str, str] | None
    """Reasons why it offers no others, by name; None if it has held no bot."""


@dataclass(frozen=True)
class FailureRow:
    """A tournament with tables that were given up."""

    tournament_id: int
    tournament: str
    tables: int
    """Number of its tables that were given up."""
    number: int
    """0-based number of the latest of them."""
    reason: str | None
    """Reason of that table's last failure."""
    when: datetime | None


@dataclass(frozen=True)
class OperationsPage:
    """State of a running arena, for its operator."""

    checks: tuple[Check, ...]
    processes: tuple[ProcessRow, ...]
    figures: Figures
    failures: tuple[FailureRow, ...]
    """Tournaments with given-up tables, the latest first."""
    release: str
    schema: str
    """Revision of the database's schema."""
    disk_free: int
    """Free bytes on the disk of the home folder of this web server."""
    disk_total: int

    @property
    def refused(self) -> list[tuple[str, str]]:
        """Packages that a worker does not offer to its bots, and why."""
        return sorted({pair for process in self.processes for pair in (process.refused or {}).items()})
