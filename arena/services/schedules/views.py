"""Views of schedules, and the catch-up policies. Times are aware datetimes."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Final

from arena.services.base.views import Time, View, says
from arena.services.formats.plans import Plan
from arena.services.formats.views import Preview
from arena.services.tournaments.views import TournamentRow
from arena.words import N_

SKIP: Final = "skip"
ONCE: Final = "once"

CATCH_UPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        SKIP: N_("Skip times missed while the arena was down"),
        ONCE: N_("Start one tournament for all times missed while the arena was down"),
    }
)
"""Explanation of each catch-up policy, for pages."""


class ScheduleRow(View, frozen=True):
    """A schedule in a list."""

    id: int
    name: str
    plan: Annotated[Plan, says("Plan of its tournaments.")]
    cron: Annotated[str, says("Times as a cron expression.")]
    zone: Annotated[str, says("IANA name of the time zone of `cron`.")]
    catch_up: Annotated[str, says("`skip` or `once`: what happens with times missed while the arena was down.")]
    paused: bool
    problem: Annotated[str | None, says("Reason why its latest time got no tournament.")]
    created_by: Annotated[str, says("Name of the account that created it.")]
    created: Time
    words: Annotated[str, says("Times in words.")]
    times: Annotated[tuple[Time, ...], says("Next times; empty while it is paused.")]


@dataclass(frozen=True)
class SchedulePage:
    """The page of a schedule."""

    row: ScheduleRow
    tournaments: tuple[TournamentRow, ...]
    """Latest tournaments, newest first."""
    size: Preview
    """Size and duration of a tournament that started now, or why none can."""
