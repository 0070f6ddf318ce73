"""Cancel tables, and set aside accepted results so that they no longer count. Nothing is deleted.

All changes happen in one transaction that holds the tournament's lock: the result is removed from the tallies and
counters, its matches are marked as superseded, and the ratings are folded again from the first affected table.
"""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, case, func, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Attempt, Match, Table, TableSeat, Tournament, VariantPair, VariantScore
from arena.services.base.states import INSECURE, UNSETTLED, AttemptOutcome, TableState
from arena.services.queue.claims import set_counters
from arena.services.ratings import fold, tallies

CHUNK: Final = 500
"""Number of tables changed per statement."""


def cancel_tables(session: Session, tournament: Tournament, *which: ColumnElement[bool]) -> None:
    """Cancel the waiting and running tables of a locked tournament that meet these conditions.

    A worker playing one of them loses its claim.
    """
    # Lock in the fold's order, the cursor before the tournament's row, to avoid a deadlock.
    fold.lock(session, tournament.variant)
    count = _cancel(session, tournament, *which)
    _count(session, tournament, tables_cancelled=Tournament.tables_cancelled + count)


def _cancel(session: Session, tournament: Tournament, *which: ColumnElement[bool]) -> int:
    """Cancel unsettled tables. Returns the number of tables. Only the cursor may be locked already."""
    here = (Table.tournament_id == tournament.id, *which)
    cancelled = session.scalars(
        update(Table)
        .where(*here, Table.state.in_(UNSETTLED))
        .values(state=TableState.CANCELLED, lease_until=None, worker=None, finished=now())
        .returning(Table.number)
        .execution_options(synchronize_session=False)
    )
    count = sum(1 for _ in cancelled)
    session.execute(
        update(Attempt)
        .where(
            Attempt.ended.is_(None),
            Attempt.table_id.in_(select(Table.id).where(*here, Table.state == TableState.CANCELLED)),
        )
        .values(ended=now(), outcome=AttemptOutcome.CANCELLED)
        .execution_options(synchronize_session=False)
    )
    return count


def set_aside(session: Session, tournament: Tournament, table_ids: Sequence[int], state: str) -> None:
    """Set aside the results of tables of a locked tournament, and queue the tables again or cancel them.

    `state` is the new state of the tables: queued or cancelled. Unsettled tables are cancelled as well if it is
    cancelled, and left alone otherwise.
    """
    ids = sorted(table_ids)
    chunks = [ids[first : first + CHUNK] for first in range(0, len(ids), CHUNK)]
    cursor = fold.lock(session, tournament.variant)
    if state == TableState.CANCELLED:
        count = sum(_cancel(session, tournament, Table.id.in_(chunk)) for chunk in chunks)
        _count(session, tournament, tables_cancelled=Tournament.tables_cancelled + count)
    _lock(session, tournament, several=len(chunks) > 1)
    rated = [_set_aside(session, tournament, chunk, state) for chunk in chunks]
    since = min((table for table in rated if table is not None), default=None)
    if since is not None:
        fold.refold(session, cursor, since)


def _lock(session: Session, tournament: Tournament, several: bool) -> None:
    """Take the locks that a submitted result takes, in its order: the tournament, then tallies by key.

    If there are several chunks, lock all tallies of the variant first: the chunks one after another would not keep to
    the order of the keys.
    """
    session.execute(select(Tournament.id).where(Tournament.id == tournament.id).with_for_update(key_share=True))
    if several:
        for model, keys in ((VariantScore, (VariantScore.version_id,)), (VariantPair, (VariantPair.a, VariantPair.b))):
            rows = select(*keys).where(model.variant == tournament.variant).order_by(*keys)
            session.execute(rows.with_for_update()).all()


def _set_aside(session: Session, tournament: Tournament, table_ids: Sequence[int], state: str) -> int | None:
    """Set aside one chunk of tables. Returns the ID of the first table that was rated, or None."""
    found = session.execute(
        select(Table.id, Table.number, Table.state)
        .where(Table.id.in_(table_ids), Table.state.in_((TableState.DONE, TableState.INFRA_FAILED)))
        .order_by(Table.id)
    ).all()
    done = [row.id for row in found if row.state == TableState.DONE]
    failed = [row.id for row in found if row.state == TableState.INFRA_FAILED and state == TableState.QUEUED]
    # A failed table has no result, but queueing it again makes all tables after it unrated until it is settled.
    rated = [
        row.id
        for row in found
        if row.number < tournament.folded and (row.state == TableState.DONE or state == TableState.QUEUED)
    ]
    insecure = _insecure(session, done)
    tallies.remove(session, *done)
    _forget_results(session, done)
    _change_tables(session, [*done, *failed], state)
    _count(
        session,
        tournament,
        tables_done=Tournament.tables_done - len(done),
        tables_failed=Tournament.tables_failed - len(failed),
        tables_insecure=Tournament.tables_insecure - insecure,
        tables_cancelled=Tournament.tables_cancelled + (len(done) if state == TableState.CANCELLED else 0),
    )
    if state == TableState.QUEUED and found:
        lowest = min(row.number for row in found)
        _count(session, tournament, folded=case((Tournament.folded > lowest, lowest), else_=Tournament.folded))
    return min(rated, default=None)


def _insecure(session: Session, table_ids: Sequence[int]) -> int:
    """Return the number of tables that have a counted match played without a full cage."""
    here = (Match.table_id.in_(table_ids), Match.cage == INSECURE, Match.superseded.is_(False))
    return session.scalars(select(func.count(Match.table_id.distinct())).where(*here)).one()


def _forget_results(session: Session, table_ids: Sequence[int]) -> None:
    quietly = {"synchronize_session": False}
    matches = update(Match).where(Match.table_id.in_(table_ids)).values(superseded=True)
    attempts = update(Attempt).where(Attempt.table_id.in_(table_ids), Attempt.outcome == AttemptOutcome.DONE)
    seats = update(TableSeat).where(TableSeat.table_id.in_(table_ids)).values(half_points=None, rank=None, faults=0)
    for change in (matches, attempts.values(outcome=AttemptOutcome.SUPERSEDED), seats):
        session.execute(change, execution_options=quietly)


def _change_tables(session: Session, table_ids: Sequence[int], state: str) -> None:
    fresh: dict[str, Any] = {"attempts": 0, "rung_at": None, "retry_at": None, "finished": None}
    changed = fresh if state == TableState.QUEUED else {"finished": now()}
    session.execute(
        update(Table).where(Table.id.in_(table_ids)).values(state=state, lease_until=None, worker=None, **changed),
        execution_options={"synchronize_session": False},
    )


def _count(session: Session, tournament: Tournament, **counted: Any) -> None:
    set_counters(session, tournament.id, **counted)  # in SQL: other transactions change the counters at the same time
    session.refresh(tournament)
