"""The queue is the database: claim a table with a lease and a fence, renew the lease, hand in the result.

Times are the database's. A claim raises the fence; whatever comes later under an older fence is not taken, so a worker
that was thought dead, a doorbell that rang twice or a cancelled tournament can do no harm.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Attempt, Match, MatchSeat, Table, TableSeat, Tournament
from arena.services import tallies
from arena.services.context import Arena
from arena.services.lease import LeaseLost
from arena.services.shapes import DONE, INFRA_FAILED, INSECURE, QUEUED, RUNNING

ATTEMPTS: Final = 3
"""So often a table is tried before the arena gives up on it."""
BACK_OFF: Final = (5.0, 20.0)
"""Seconds until it is tried again, after the first and after the second attempt: a machine may be better by then."""

# A result is many rows that nobody in this process looks at again, so they are no objects.
_MATCHES: Final[Any] = Match.__table__
_SEATS: Final[Any] = MatchSeat.__table__
_PLACES: Final[Any] = TableSeat.__table__


class Claim(NamedTuple):
    """A worker's right to a table."""

    table: int
    fence: int


class PlayedMatch(NamedTuple):
    """A match as it is stored."""

    record: bytes
    """Packed."""
    seats: Sequence[Mapping[str, Any]]
    """Columns of `MatchSeat` by seat, all but the match."""
    cage: str
    """The level of the cage that it was played in."""


class TableResult(NamedTuple):
    """What a table's play came to."""

    matches: Sequence[PlayedMatch]
    half_points: Sequence[int]
    """By place, as are the others."""
    ranks: Sequence[int]
    faults: Sequence[int]


def claim(arena: Arena, table_id: int, worker: str) -> Claim | None:
    """Take a table that is queued in a running tournament and due; None where there is nothing to take."""
    playing = select(Tournament.id).where(Tournament.id == Table.tournament_id, Tournament.state == RUNNING)
    taken = (
        update(Table)
        .where(Table.id == table_id, Table.state == QUEUED, func.coalesce(Table.retry_at, 0) <= now(), playing.exists())
        .values(state=RUNNING, fence=Table.fence + 1, attempts=Table.attempts + 1, worker=worker, retry_at=None)
        .values(lease_until=now() + arena.settings.lease)
        .returning(Table.fence)
    )
    with arena.transaction() as session:
        fence = session.scalar(taken)
        if fence is None:
            return None
        session.execute(insert(Attempt).values(table_id=table_id, fence=fence, worker=worker, started=now()))
    return Claim(table_id, fence)


def renew(arena: Arena, claim: Claim) -> None:
    """Extend the lease. Raises LeaseLost where the claim does not hold any more."""
    with arena.transaction() as session:
        _change(session, claim, lease_until=now() + arena.settings.lease)


def give_back(arena: Arena, claim: Claim, reason: str) -> None:
    """The machinery failed: the table is queued again for a little later, or given up after the last attempt."""
    with arena.transaction() as session:
        release(session, claim, "fault", reason)


def submit(arena: Arena, claim: Claim, result: TableResult) -> None:
    """Store everything that a table came to, at once or not at all. Raises LeaseLost."""
    with arena.transaction() as session:
        _change(session, claim, state=DONE, lease_until=None, finished=now())
        end_attempt(session, claim, "done")
        _store_matches(session, claim, result.matches)
        _store_places(session, claim.table, result)
        insecure = int(any(match.cage == INSECURE for match in result.matches))
        count(
            session,
            claim.table,
            tables_done=Tournament.tables_done + 1,
            tables_insecure=Tournament.tables_insecure + insecure,
        )
        tallies.add(session, claim.table)


def release(session: Session, claim: Claim, outcome: str, reason: str, *only: ColumnElement[bool]) -> None:
    """End an attempt that came to nothing, as far as the claim (and `only`) still hold. Raises LeaseLost."""
    attempts = session.scalar(select(Table.attempts).where(Table.id == claim.table, Table.fence == claim.fence)) or 0
    if attempts < ATTEMPTS:
        changed = {"state": QUEUED, "rung_at": None, "retry_at": now() + back_off(attempts)}
    else:
        changed = {"state": INFRA_FAILED, "finished": now()}
    _change(session, claim, *only, lease_until=None, worker=None, **changed)
    end_attempt(session, claim, outcome, reason)
    if attempts >= ATTEMPTS:
        count(session, claim.table, tables_failed=Tournament.tables_failed + 1)


def back_off(attempts: int) -> float:
    """Seconds to wait after so many attempts, at least one."""
    return BACK_OFF[min(attempts, len(BACK_OFF)) - 1]


def end_attempt(session: Session, claim: Claim, outcome: str, reason: str | None = None) -> None:
    """Write down how an attempt ended."""
    session.execute(
        update(Attempt)
        .where(Attempt.table_id == claim.table, Attempt.fence == claim.fence)
        .values(ended=now(), outcome=outcome, reason=reason)
    )


def count(session: Session, table_id: int, **counted: Any) -> None:
    """Count a table that is settled. What follows from it for its tournament is `arena.services.stages.advance`."""
    tournament = select(Table.tournament_id).where(Table.id == table_id).scalar_subquery()
    session.execute(
        update(Tournament)
        .where(Tournament.id == tournament)
        .values(**counted)
        .execution_options(synchronize_session=False)
    )


def _change(session: Session, claim: Claim, *only: ColumnElement[bool], **values: Any) -> None:
    holds = (Table.id == claim.table, Table.state == RUNNING, Table.fence == claim.fence, *only)
    if session.scalar(update(Table).where(*holds).values(**values).returning(Table.id)) is None:
        raise LeaseLost(f"the claim {claim.fence} on table {claim.table} does not hold any more")


def _store_matches(session: Session, claim: Claim, matches: Sequence[PlayedMatch]) -> None:
    if not matches:
        return
    rows = [
        {
            "table_id": claim.table,
            "fence": claim.fence,
            "seating": seating,
            "record": played.record,
            "cage": played.cage,
        }
        for seating, played in enumerate(matches)
    ]
    connection = session.connection()
    ids = connection.scalars(insert(_MATCHES).returning(_MATCHES.c.id, sort_by_parameter_order=True), rows).all()
    seats = [
        {"match_id": match_id, "seat": number, **seat}
        for match_id, played in zip(ids, matches, strict=True)
        for number, seat in enumerate(played.seats)
    ]
    connection.execute(insert(_SEATS), seats)


def _store_places(session: Session, table_id: int, result: TableResult) -> None:
    places = zip(result.half_points, result.ranks, result.faults, strict=True)
    rows = [
        {"of": table_id, "at": position, "half_points": half_points, "rank": rank, "faults": faults}
        for position, (half_points, rank, faults) in enumerate(places)
    ]
    at = (_PLACES.c.table_id == bindparam("of"), _PLACES.c.position == bindparam("at"))
    session.connection().execute(update(_PLACES).where(*at), rows)
