"""Claim a table, submit its result, or give it back. See `arena.services.queue.leases` for leases and fences."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Attempt, Match, MatchSeat, Table, TableSeat, Tournament
from arena.services.base.context import Arena
from arena.services.base.states import INSECURE, UNSETTLED, AttemptOutcome, TableState, TournamentState
from arena.services.queue.leases import TABLES, Claim, LeaseLost
from arena.services.ratings import tallies

# Core tables instead of models: a result has many rows that this process never reads again.
_MATCHES: Final[Any] = Match.__table__
_SEATS: Final[Any] = MatchSeat.__table__
_PLACES: Final[Any] = TableSeat.__table__


class PlayedMatch(NamedTuple):
    """A match, ready to be stored."""

    record: bytes
    """Packed record."""
    seats: Sequence[Mapping[str, Any]]
    """Columns of `MatchSeat` by seat, except the match ID."""
    cage: str
    """Level of the cage in which it was played."""


class TableResult(NamedTuple):
    """Result of a table."""

    matches: Sequence[PlayedMatch]
    """Matches in the order of seatings."""
    half_points: Sequence[int]
    """Half match points by place."""
    ranks: Sequence[int]
    """Ranks by place, 1 is the best."""
    faults: Sequence[int]
    """Numbers of matches with a fault, by place."""


def claim(arena: Arena, table_id: int, worker: str) -> Claim | None:
    """Claim a table. Returns None unless it is queued, due, and in a running tournament."""
    playing = select(Tournament.id).where(
        Tournament.id == Table.tournament_id, Tournament.state == TournamentState.RUNNING
    )
    with arena.transaction() as session:
        claim = TABLES.claim(session, table_id, playing.exists(), worker=worker)
        if claim:
            session.execute(insert(Attempt).values(table_id=table_id, fence=claim.fence, worker=worker, started=now()))
    return claim


def give_back(arena: Arena, claim: Claim, reason: str) -> None:
    """Queue a table again after an infrastructure failure, or give it up after the last attempt. Raises `LeaseLost`."""
    with arena.transaction() as session:
        _release(session, claim, AttemptOutcome.FAULT, reason)


def expire(arena: Arena) -> int:
    """Queue tables again whose workers stopped renewing their leases. Returns the number of tables."""
    with arena.reading() as session:
        expired = TABLES.expired(session)
    return sum(_expire(arena, claim) for claim in expired)


def submit(arena: Arena, claim: Claim, result: TableResult) -> None:
    """Store the result of a table in one transaction. Raises `LeaseLost`."""
    with arena.transaction() as session:
        TABLES.change(session, claim, state=TableState.DONE, lease_until=None, finished=now())
        _end_attempt(session, claim, AttemptOutcome.DONE)
        _store_matches(session, claim, result.matches)
        _store_places(session, claim.id, result)
        insecure = int(any(match.cage == INSECURE for match in result.matches))
        _count(
            session,
            claim.id,
            tables_done=Tournament.tables_done + 1,
            tables_insecure=Tournament.tables_insecure + insecure,
        )
        tallies.add(session, claim.id)


def abandon(session: Session, claim: Claim, *only: ColumnElement[bool]) -> None:
    """Queue a table again whose worker disappeared. Raises `LeaseLost`, also if `only` does not hold."""
    _release(session, claim, AttemptOutcome.EXPIRED, "the worker that was playing it disappeared", *only)


def _expire(arena: Arena, claim: Claim) -> bool:
    try:
        with arena.transaction() as session:
            abandon(session, claim, Table.lease_until < now())
    except LeaseLost:  # renewed in the meantime, or expired by another sweep
        return False
    return True


def _release(session: Session, claim: Claim, outcome: str, reason: str, *only: ColumnElement[bool]) -> None:
    given_up = TABLES.release(
        session, claim, {"state": TableState.INFRA_FAILED, "worker": None, "finished": now()}, *only
    )
    _end_attempt(session, claim, outcome, reason)
    if given_up:
        _count(session, claim.id, tables_failed=Tournament.tables_failed + 1)


def _end_attempt(session: Session, claim: Claim, outcome: str, reason: str | None = None) -> None:
    """Record how an attempt ended."""
    session.execute(
        update(Attempt)
        .where(Attempt.table_id == claim.id, Attempt.fence == claim.fence)
        .values(ended=now(), outcome=outcome, reason=reason)
    )


def _count(session: Session, table_id: int, **counted: Any) -> None:
    """Update the counters of a table's tournament. `stages.advance` decides what follows."""
    tournament = select(Table.tournament_id).where(Table.id == table_id).scalar_subquery()
    session.execute(
        update(Tournament)
        .where(Tournament.id == tournament)
        .values(**counted)
        .execution_options(synchronize_session=False)
    )


def _store_matches(session: Session, claim: Claim, matches: Sequence[PlayedMatch]) -> None:
    if not matches:
        return
    rows = [
        {
            "table_id": claim.id,
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


def first_unsettled(session: Session, tournament: Tournament) -> int:
    """Return the number of the first unsettled table, or the number of tables if all are settled."""
    here = Table.tournament_id == tournament.id
    firsts = [session.scalar(select(func.min(Table.number)).where(here, Table.state == state)) for state in UNSETTLED]
    return min((first for first in firsts if first is not None), default=tournament.tables_total)
