"""Tables."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from arena.services.administration.views import StuckTable as StuckView
from arena.services.tables.views import TableMatch as TableMatchView
from arena.services.tables.views import TablePage, TableRow
from web.api.types.base import Part, Time, each, made, says
from web.api.types.matches import Seat, Solitaire, solitaire


class Place(Part):
    """A bot's result at a table."""

    position: Annotated[int, says("Place at the table, from 0.")]
    bot_id: int
    bot: Annotated[str, says("Name of the bot.")]
    version_id: int
    version: Annotated[int, says("Number of the version.")]
    points: Annotated[float | None, says("Match points; null until the table is done.")]
    rank: Annotated[int | None, says("Rank at the table; null until the table is done.")]
    faults: Annotated[int, says("Number of the table's matches in which the bot failed.")]


class Table(Part):
    """A table in a list."""

    id: int
    number: Annotated[int, says("Number within the tournament, from 0.")]
    stage: Annotated[int, says("Stage of the tournament, from 0.")]
    state: Annotated[str, says("`queued`, `running`, `done`, `infra_failed` or `cancelled`.")]
    attempts: Annotated[int, says("Number of attempts since it was created or last set aside.")]
    places: tuple[Place, ...]
    matches: Annotated[tuple[int, ...], says("IDs of its matches that count, in the order of seatings.")]
    problem: Annotated[str | None, says("Reason of the arena's latest failure to play it.")]


class TableMatch(Part):
    """A match of a table."""

    id: int
    board_set: Annotated[int, says("Index of its set of boards, from 0.")]
    order: Annotated[int, says("Index of its seating, from 0.")]
    seats: tuple[Seat, ...]
    solitaire: Annotated[Solitaire | None, says("Result of a solitaire match; null for any other.")]


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
    places: tuple[Place, ...]
    matches: Annotated[tuple[TableMatch, ...], says("Matches that count, by set of boards and order of seatings.")]
    attempts: Annotated[tuple[Attempt, ...], says("All attempts, oldest first.")]
    reasons: Annotated[tuple[str, ...], says("Reasons why it was played again, oldest first.")]


class StuckTable(Part):
    """A table that the arena gave up, or that waits."""

    id: int
    number: Annotated[int, says("Number within the tournament, from 0.")]
    tournament_id: int
    tournament: Annotated[str, says("Name of the tournament.")]
    state: str
    attempts: int
    reason: Annotated[str, says("Why it failed or waits, as a sentence.")]
    retry_at: Annotated[Time | None, says("Time before which no worker takes it; null if any may.")]


def table(row: TableRow) -> Table:
    """Return a table of a list."""
    return made(Table, row, places=each(Place, row.places))


def tables(rows: Iterable[TableRow]) -> tuple[Table, ...]:
    """Return tables of a list."""
    return tuple(map(table, rows))


def table_detail(page: TablePage) -> TableDetail:
    """Return a table with its matches and attempts."""
    attempts = (made(Attempt, one, matches=_matches(one.sets)) for one in page.attempts)
    return made(
        TableDetail, page, places=each(Place, page.places), matches=_matches(page.sets), attempts=tuple(attempts)
    )


def stuck_table(row: StuckView) -> StuckTable:
    """Return a table that waits or was given up."""
    return made(StuckTable, row)


def _matches(sets: Sequence[Sequence[TableMatchView]]) -> tuple[TableMatch, ...]:
    return tuple(
        made(TableMatch, one, seats=each(Seat, one.seats), solitaire=solitaire(one.alone))
        for row in sets
        for one in row
    )
