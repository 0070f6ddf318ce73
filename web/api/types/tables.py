"""Tables."""

from itertools import chain
from typing import Annotated

from arena.services.tables.views import PlaceRow, TableMatch, TablePage
from web.api.types.base import Part, Time, made, says


class Attempt(Part):
    """An attempt at a table."""

    fence: Annotated[int, says("Number of the attempt, from 1.")]
    worker: str
    started: Time
    ended: Time | None
    outcome: Annotated[
        str | None,
        says("`done`, `fault`, `expired`, `cancelled`, `returned` or `superseded`; null while it runs."),
    ]
    reason: Annotated[str | None, says("Reason of the outcome, if one was given.")]
    matches: Annotated[tuple[TableMatch, ...], says("Its matches; empty if the attempt failed.")]


class TableDetail(Part):
    """A table with its matches and attempts."""

    id: int
    tournament_id: int
    tournament: Annotated[str, says("Name of the tournament.")]
    tournament_state: str
    variant: str
    format: str
    number: Annotated[int, says("Number within the tournament, from 0.")]
    stage: Annotated[int, says("Stage of the tournament, from 0.")]
    state: Annotated[str, says("`queued`, `running`, `done`, `infra_failed` or `cancelled`.")]
    boards: Annotated[int, says("Number of sets of boards.")]
    seatings: Annotated[str, says("`rotations`, `all`, `single`, or `both` in comparisons.")]
    finished: Time | None
    places: tuple[PlaceRow, ...]
    matches: Annotated[tuple[TableMatch, ...], says("Matches that count, by set of boards and order of seatings.")]
    attempts: Annotated[tuple[Attempt, ...], says("All attempts, oldest first.")]
    reasons: Annotated[tuple[str, ...], says("Reasons why it was played again, oldest first.")]


def table_detail(page: TablePage) -> TableDetail:
    """Return a table with its matches and attempts."""
    attempts = (made(Attempt, one, matches=tuple(chain(*one.sets))) for one in page.attempts)
    return made(TableDetail, page, matches=tuple(chain(*page.sets)), attempts=tuple(attempts))
