"""View models of the arena's health."""

from dataclasses import dataclass
from typing import Annotated

from arena.services.base.views import Time, View, says

UPLOAD, PLACEMENT, TOURNAMENT, TRIAL, LADDER, LIVE = "upload", "placement", "tournament", "trial", "ladder", "live"
"""Kinds of work, in the order in which workers take it; hosts take live tables."""


# Named here, because Python 3.14 evaluates annotations where `says` is the field of that name.
Sentence = Annotated[str, says("Sentence that explains the result.")]


class Work(View, frozen=True):
    """Open work of one kind."""

    kind: Annotated[str, says("`upload`, `placement`, `tournament`, `trial`, `ladder` or `live`.")]
    waiting: Annotated[int, says("Number of uploads or tables that wait.")]
    playing: Annotated[int, says("Number of uploads or tables that workers or hosts hold.")]
    oldest: Annotated[float | None, says("Age in seconds of the oldest; null if idle.")]


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


class Check(View, frozen=True):
    """A condition of readiness."""

    name: str
    holds: bool
    says: Sentence


class ProcessRow(View, frozen=True):
    """A process of the arena."""

    name: Annotated[str, says("Host and process ID.")]
    kind: Annotated[str, says("`worker` or `web`.")]
    release: str
    state: Annotated[str, says("`idle`, `busy`, `paused`, `out`, or `silent` if it no longer reports.")]
    detail: Annotated[str, says("What it works on, or why it is paused or out.")]
    since: Annotated[Time, says("Time at which it entered its state.")]
    started: Time
    seen: Annotated[Time, says("Time of its last sign of life.")]
    held: Annotated[Time | None, says("Time at which it last held a bot.")]
    packages: Annotated[
        dict[str, str] | None,
        says("Versions of Python and of the packages that its bots can import, by name; null if it has held no bot."),
    ]
    refused: Annotated[
        dict[str, str] | None, says("Reasons why it offers no others, by name; null if it has held no bot.")
    ]


class FailureRow(View, frozen=True):
    """A tournament with tables that were given up."""

    tournament_id: int
    tournament: str
    tables: Annotated[int, says("Number of its tables that were given up.")]
    number: Annotated[int, says("Number of the latest of them, from 0.")]
    reason: Annotated[str | None, says("Reason of that table's last failure.")]
    when: Time | None


class OperationsFacts(View, frozen=True):
    """State of a running arena, without figures."""

    release: str
    schema: Annotated[str, says("Revision of the database's schema.")]
    checks: tuple[Check, ...]
    processes: tuple[ProcessRow, ...]
    failures: tuple[FailureRow, ...]
    disk_free: int
    disk_total: int


class OperationsPage(OperationsFacts, frozen=True):
    """State of a running arena, for its operator."""

    figures: Figures

    @property
    def refused(self) -> list[tuple[str, str]]:
        """Packages that a worker does not offer to its bots, and why."""
        return sorted({pair for process in self.processes for pair in (process.refused or {}).items()})
