"""Lists of live tables for pages."""

from datetime import datetime
from typing import Annotated

from sqlalchemy import case, func, select
from sqlalchemy.orm import aliased

from arena.db.models import LiveBoards, LiveSeat, LiveTable, Version
from arena.games.registry import rules_of
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.base.views import View, says, view_of
from arena.services.live.people import Person

LATEST = 10
"""Number of tables in a person's list."""


class LiveTableRow(View, frozen=True):
    """A table in a person's list."""

    code: str
    variant: str
    state: LiveState
    created: datetime
    score: int | None
    rank: int | None


def tables_of(arena: Arena, person: Person) -> tuple[LiveTableRow, ...]:
    """Return the latest tables of a person, unfinished ones first."""
    columns = (LiveTable.code, LiveBoards.variant, LiveTable.state, LiveTable.created, LiveSeat.score, LiveSeat.rank)
    mine = select(*columns).join(LiveTable.seats).join(LiveTable.boards).where(person.sits())
    order = ((LiveTable.state != LiveState.PLAYING), LiveTable.created.desc())
    with arena.reading() as session:
        found = session.execute(mine.order_by(*order).limit(LATEST))
        return tuple(view_of(LiveTableRow, row, state=LiveState(row.state)) for row in found)


class MetRow(View, frozen=True):
    """A finished table at which people met a bot."""

    code: str
    variant: str
    finished: datetime
    score: int | None
    rank: int | None
    fault: str | None


def tables_with(arena: Arena, bot_id: int) -> tuple[MetRow, ...]:
    """Return the latest finished tables at which people met a bot, newest first."""
    columns = (LiveTable.code, LiveBoards.variant, LiveTable.finished, LiveSeat.score, LiveSeat.rank, LiveSeat.fault)
    met = select(*columns).join(LiveTable.seats).join(LiveTable.boards).join(LiveSeat.version)
    done = met.where(Version.bot_id == bot_id, LiveTable.state == LiveState.FINISHED)
    with arena.reading() as session:
        found = session.execute(done.order_by(LiveTable.finished.desc()).limit(LATEST))
        return tuple(view_of(MetRow, row) for row in found)


class MetRecord(View, frozen=True):
    """How a bot fared against people at finished tables."""

    tables: Annotated[int, says("Number of finished tables with people.")]
    ahead: Annotated[float | None, says("Share of the people whom it outranked, equal ranks half; null without any.")]


def record_with(arena: Arena, bot_id: int) -> MetRecord:
    """Return how a bot fared against people. A person in its team is a partner, not an opponent."""
    theirs = aliased(LiveSeat)
    ahead = case((LiveSeat.rank < theirs.rank, 1.0), (LiveSeat.rank == theirs.rank, 0.5), else_=0.0)
    met = (
        select(LiveBoards.variant, LiveSeat.seat, theirs.seat.label("other"), func.count().label("met"))
        .add_columns(func.sum(ahead).label("ahead"))
        .join(LiveSeat.version)
        .join(LiveSeat.table)
        .join(LiveTable.boards)
        .join(theirs, (theirs.table_id == LiveTable.id) & theirs.version_id.is_(None))
        .where(Version.bot_id == bot_id, LiveTable.state == LiveState.FINISHED)
    )
    by_seats = met.group_by(LiveBoards.variant, LiveSeat.seat, theirs.seat)
    tables = met.with_only_columns(func.count(LiveTable.id.distinct()), maintain_column_froms=True)
    with arena.reading() as session:
        rows = [row for row in session.execute(by_seats) if not _partners(row.variant, row.seat, row.other)]
        count = sum(row.met for row in rows)
        share = sum(row.ahead for row in rows) / count if count else None
        return MetRecord(session.scalars(tables).one(), share)


def _partners(variant: str, seat: int, other: int) -> bool:
    """Return whether two seats of a variant are in the same team."""
    return any(seat in team and other in team for team in rules_of(variant).teams)
