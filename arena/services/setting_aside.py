"""Setting aside: tables are cancelled, and results that were accepted cease to count. Nothing is deleted.

Everything happens in one transaction, in which the tournament is held (`arena.services.starting.held`): a result leaves
the tallies and the counters, its matches are marked, and what the ratings made of it is folded again.
"""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, case, func, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Attempt, Match, Table, TableSeat, Tournament, VariantPair, VariantScore
from arena.services import fold, tallies
from arena.services.shapes import CANCELLED, DONE, INFRA_FAILED, INSECURE, QUEUED, UNSETTLED

CHUNK: Final = 500
"""So many tables are changed at a time."""


def call_off(session: Session, tournament: Tournament, *which: ColumnElement[bool]) -> None:
    """Cancel those tables of a held tournament that wait or are being played.

    Results that are under way will find their claim gone.
    """
    # The fold locks the cursor, then the tournament's row; in the other order each could wait for the other.
    fold.lock(session, tournament.variant)
    count = _cancel(session, tournament, *which)
    _count(session, tournament, tables_cancelled=Tournament.tables_cancelled + count)


def _cancel(session: Session, tournament: Tournament, *which: ColumnElement[bool]) -> int:
    """Cancel those of these tables that are not settled; how many. Only the cursor may be locked before."""
    here = (Table.tournament_id == tournament.id, *which)
    cancelled = session.scalars(
        update(Table)
        .where(*here, Table.state.in_(UNSETTLED))
        .values(state=CANCELLED, lease_until=None, worker=None, finished=now())
        .returning(Table.number)
        .execution_options(synchronize_session=False)
    )
    count = sum(1 for _ in cancelled)
    session.execute(
        update(Attempt)
        .where(Attempt.ended.is_(None), Attempt.table_id.in_(select(Table.id).where(*here, Table.state == CANCELLED)))
        .values(ended=now(), outcome="cancelled")
        .execution_options(synchronize_session=False)
    )
    return count


def set_aside(session: Session, tournament: Tournament, table_ids: Sequence[int], state: str) -> None:
    """Have these tables of a held tournament be queued again, or cancelled because they came too late to count.

    Tables that are not settled yet are called off where they are to be cancelled, and else left alone.
    """
    ids = sorted(table_ids)
    chunks = [ids[first : first + CHUNK] for first in range(0, len(ids), CHUNK)]
    cursor = fold.lock(session, tournament.variant)
    if state == CANCELLED:
        count = sum(_cancel(session, tournament, Table.id.in_(chunk)) for chunk in chunks)
        _count(session, tournament, tables_cancelled=Tournament.tables_cancelled + count)
    _lock(session, tournament, several=len(chunks) > 1)
    rated = [_set_aside(session, tournament, chunk, state) for chunk in chunks]
    since = min((table for table in rated if table is not None), default=None)
    if since is not None:
        fold.refold(session, cursor, since)


def _lock(session: Session, tournament: Tournament, several: bool) -> None:
    """Lock what results lock, in their order: the tournament, then tallies by their keys."""
    session.execute(select(Tournament.id).where(Tournament.id == tournament.id).with_for_update(key_share=True))
    if several:
        for model, keys in ((VariantScore, (VariantScore.version_id,)), (VariantPair, (VariantPair.a, VariantPair.b))):
            rows = select(*keys).where(model.variant == tournament.variant).order_by(*keys)
            session.execute(rows.with_for_update()).all()


def _set_aside(session: Session, tournament: Tournament, table_ids: Sequence[int], state: str) -> int | None:
    """The same for so many tables as a statement can name; the first of them that was rated."""
    found = session.execute(
        select(Table.id, Table.number, Table.state)
        .where(Table.id.in_(table_ids), Table.state.in_((DONE, INFRA_FAILED)))
        .order_by(Table.id)
    ).all()
    done = [row.id for row in found if row.state == DONE]
    failed = [row.id for row in found if row.state == INFRA_FAILED and state == QUEUED]
    # A table that failed counted for nothing, but all that come after it cease to count until it is played again.
    rated = [row.id for row in found if row.number < tournament.folded and (row.state == DONE or state == QUEUED)]
    insecure = _insecure(session, done)
    tallies.take_away(session, *done)
    _forget_results(session, done)
    _change_tables(session, [*done, *failed], state)
    _count(
        session,
        tournament,
        tables_done=Tournament.tables_done - len(done),
        tables_failed=Tournament.tables_failed - len(failed),
        tables_insecure=Tournament.tables_insecure - insecure,
        tables_cancelled=Tournament.tables_cancelled + (len(done) if state == CANCELLED else 0),
    )
    if state == QUEUED and found:
        lowest = min(row.number for row in found)
        _count(session, tournament, folded=case((Tournament.folded > lowest, lowest), else_=Tournament.folded))
    return min(rated, default=None)


def _insecure(session: Session, table_ids: Sequence[int]) -> int:
    """How many of these tables have a match that counts and was played without a full cage."""
    here = (Match.table_id.in_(table_ids), Match.cage == INSECURE, Match.superseded.is_(False))
    return session.scalars(select(func.count(Match.table_id.distinct())).where(*here)).one()


def _forget_results(session: Session, table_ids: Sequence[int]) -> None:
    quietly = {"synchronize_session": False}
    matches = update(Match).where(Match.table_id.in_(table_ids)).values(superseded=True)
    attempts = update(Attempt).where(Attempt.table_id.in_(table_ids), Attempt.outcome == "done")
    seats = update(TableSeat).where(TableSeat.table_id.in_(table_ids)).values(half_points=None, rank=None, faults=0)
    for change in (matches, attempts.values(outcome="superseded"), seats):
        session.execute(change, execution_options=quietly)


def _change_tables(session: Session, table_ids: Sequence[int], state: str) -> None:
    fresh: dict[str, Any] = {"attempts": 0, "rung_at": None, "retry_at": None, "finished": None}
    changed = fresh if state == QUEUED else {"finished": now()}
    session.execute(
        update(Table).where(Table.id.in_(table_ids)).values(state=state, lease_until=None, worker=None, **changed),
        execution_options={"synchronize_session": False},
    )


def _count(session: Session, tournament: Tournament, **counted: Any) -> None:
    # A plain UPDATE: others count at the same time.
    session.execute(
        update(Tournament)
        .where(Tournament.id == tournament.id)
        .values(**counted)
        .execution_options(synchronize_session=False)
    )
    session.refresh(tournament)
