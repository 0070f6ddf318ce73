"""Views of schedules, and the catch-up policies. Times are aware datetimes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from arena.services.formats.plans import Plan
from arena.services.formats.views import Preview
from arena.services.tournaments.views import TournamentRow

SKIP: Final = "skip"
ONCE: Final = "once"

CATCH_UPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        SKIP: "Skip times missed while the arena was down",
        ONCE: "Start one tournament for all times missed while the arena was down",
    }
)
"""Explanation of each catch-up policy, for pages."""


@dataclass(frozen=True)
class ScheduleRow:
    """A schedule in a list."""

    id: int
    name: str
    plan: Plan
    """Plan of its tournaments."""
    cron: str
    zone: str
    """IANA name of the time zone of `cron`."""
    catch_up: str
    """``skip`` or ``once``."""
    paused: bool
    problem: str | None
    """Reason why its latest time got no tournament."""
    created_by: str
    """Name of the account that created it."""
    created: datetime
    words: str
    """Its times in words, such as ``Every Friday at 18:00``."""
    times: tuple[datetime, ...]
    """Next times, in its zone; empty while it is paused, or if this machine does not know the zone."""


@dataclass(frozen=True)
class SchedulePage:
    """The page of a schedule."""

    row: ScheduleRow
    tournaments: tuple[TournamentRow, ...]
    """Latest tournaments, newest first."""
    size: Preview
    """Size and duration of a tournament that started now, or why none can."""
