"""Integrity of tables: their states, times, claims and places. Their results are checked by `results`."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Attempt, Match, Table, TableSeat, Tournament
from arena.services.base.states import UNSETTLED, AttemptOutcome, TableState
from arena.services.integrity.findings import Wrong, check_rows, correct
from arena.services.integrity.leases import leased
from arena.services.queue import claims
from arena.services.queue.leases import Claim

NO_RESULT: Final = {"half_points": None, "rank": None, "faults": 0}
"""Columns of a place at a table without a result."""


def table(session: Session, table_id: int) -> Iterator[Wrong]:
    """Check a table and its claims."""
    row = session.get_one(Table, table_id)
    attempts = session.scalars(select(Attempt).where(Attempt.table_id == table_id).order_by(Attempt.fence)).all()
    yield from _claims(row, attempts)
    for attempt in attempts:
        yield from _attempt(row, attempt)
    yield from _held(session, row)
    yield from _times(row, attempts)
    yield from _priority(session, row)
    if row.state != TableState.DONE:
        yield from _no_result(session, row)
    yield from _superseded(session, row)


def _claims(row: Table, attempts: Sequence[Attempt]) -> Iterator[Wrong]:
    """Check that each claim that was counted has its row."""
    fences = [attempt.fence for attempt in attempts]
    if fences != list(range(1, row.fence + 1)):
        complete = fences == list(range(1, len(fences) + 1)) and _settles(row, attempts)
        right = correct(Table, {"fence": len(fences)}, id=row.id) if complete else None
        yield Wrong(f"its fence is {row.fence}, but it has the attempts {fences}", right)
    if not 0 <= row.attempts <= max(row.fence, len(fences)):
        yield Wrong(f"{row.attempts} attempts are counted, but its fence is {row.fence}")


def _settles(row: Table, attempts: Sequence[Attempt]) -> bool:
    """Return whether the last attempt explains the state of the table."""
    accepted = [attempt.fence for attempt in attempts if attempt.outcome == AttemptOutcome.DONE]
    return accepted == ([len(attempts)] if row.state == TableState.DONE else [])


def _attempt(row: Table, attempt: Attempt) -> Iterator[Wrong]:
    last = attempt.fence == row.fence
    playing = row.state == TableState.RUNNING and last
    name = f"attempt {attempt.fence}"
    repair = partial(_end, table=row, attempt=attempt)
    if attempt.ended is None and not playing:
        yield Wrong(f"{name} has not ended, but the table is {row.state}", repair)
    elif attempt.ended is not None and playing:
        yield Wrong(f"it is being played, but {name} has ended")
    if (attempt.outcome == AttemptOutcome.DONE) != (row.state == TableState.DONE and last):
        right = repair if row.state == TableState.DONE and last else None
        yield Wrong(f"it is {row.state} with the fence {row.fence}, but {name} is {attempt.outcome}", right)


def _end(session: Session, table: Table, attempt: Attempt) -> None:
    """Give an attempt the outcome that follows from its table."""
    values: dict[str, Any] = {"outcome": _outcome(table, attempt)}
    if attempt.ended is None:
        values["ended"] = now() if table.finished is None else table.finished
    session.execute(update(Attempt).filter_by(table_id=table.id, fence=attempt.fence).values(**values))


def _outcome(table: Table, attempt: Attempt) -> str:
    last = attempt.fence == table.fence
    if last and table.state == TableState.DONE:
        return AttemptOutcome.DONE
    if last and table.state == TableState.CANCELLED:
        return AttemptOutcome.CANCELLED
    return AttemptOutcome.EXPIRED


def _held(session: Session, row: Table) -> Iterator[Wrong]:
    abandon = partial(claims.abandon, claim=Claim(row.id, row.fence))
    if row.state == TableState.RUNNING and row.lease_until is None:
        yield Wrong("it is being played without a lease, so it would never be queued again", abandon)
    if row.state == TableState.RUNNING and row.worker is None:
        yield Wrong("it is being played, but by no worker", abandon)
    if row.state in (TableState.QUEUED, TableState.CANCELLED) and row.worker is not None:
        yield Wrong(f"it is {row.state}, but has a worker", correct(Table, {"worker": None}, id=row.id))
    yield from leased(session, row, row.state == TableState.RUNNING, abandon)


def _times(row: Table, attempts: Sequence[Attempt]) -> Iterator[Wrong]:
    if (row.finished is None) != (row.state in UNSETTLED):
        ended = [attempt.ended for attempt in attempts if attempt.ended is not None]
        right = None if row.state in UNSETTLED else max(ended, default=now())
        what = f"it is {row.state}, but its time of finishing is {row.finished}"
        yield Wrong(what, correct(Table, {"finished": right}, id=row.id))


def _priority(session: Session, row: Table) -> Iterator[Wrong]:
    right = session.scalar(select(Tournament.priority).where(Tournament.id == row.tournament_id))
    if right is not None and row.priority != right:
        what = f"its priority is {row.priority}, but its tournament has {right}"
        yield Wrong(what, correct(Table, {"priority": right}, id=row.id))


def _no_result(session: Session, row: Table) -> Iterator[Wrong]:
    """Check that a table that is not done has no result."""
    accepted = (Match.table_id == row.id, Match.superseded.is_(False))
    count = session.scalars(select(func.count()).select_from(Match).where(*accepted)).one()
    if count:
        yield Wrong(f"it is {row.state}, but it has {count} matches")
    scored = TableSeat.rank.is_not(None) | TableSeat.half_points.is_not(None) | (TableSeat.faults != 0)
    here = select(TableSeat.position).where(TableSeat.table_id == row.id, scored).order_by(TableSeat.position)
    if places := session.scalars(here).all():
        repair = None if count else correct(TableSeat, NO_RESULT, table_id=row.id)
        yield Wrong(f"it is {row.state}, but its places {list(places)} have ranks", repair)


def _superseded(session: Session, row: Table) -> Iterator[Wrong]:
    """Check that matches that were set aside belong to attempts that were set aside, and no others do."""
    marks = select(Match.fence, Match.superseded).where(Match.table_id == row.id).distinct()
    attempts = select(Attempt.fence, Attempt.outcome).where(Attempt.table_id == row.id)
    ended = {one.fence for one in session.execute(attempts) if one.outcome == AttemptOutcome.SUPERSEDED}
    found = session.execute(marks).all()
    marked = {one.fence for one in found if one.superseded}
    if marked != ended:
        yield Wrong(f"it has superseded matches of the attempts {sorted(marked)}, but {sorted(ended)} are superseded")


CHECKS = (check_rows("table", Table, table),)
