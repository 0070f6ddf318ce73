"""Claim tables, submit their results, or give them back. See `arena.services.queue.leases` for leases and fences."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, bindparam, func, insert, select, tuple_, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Attempt, Match, MatchSeat, Table, TableSeat, Tournament, Version
from arena.services.base.context import Arena
from arena.services.base.measures import ATTEMPTS
from arena.services.base.states import UNSETTLED, AttemptOutcome, TableState, TournamentState
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.play.table import PlayedMatch, TableResult
from arena.services.queue.leases import TABLES, Claim, LeaseLost
from arena.services.ratings import tallies

# Core tables instead of models: a result has many rows that this process never reads again.
_ATTEMPTS: Final[Any] = Attempt.__table__
_MATCHES: Final[Any] = Match.__table__
_SEATS: Final[Any] = MatchSeat.__table__
_PLACES: Final[Any] = TableSeat.__table__
_GIVEN_UP: Final[Mapping[str, Any]] = {"state": TableState.INFRA_FAILED, "worker": None, "finished": now()}
"""Columns of a table that the arena gave up."""


def claim(arena: Arena, table_id: int, worker: str) -> Claim | None:
    """Claim a table. Returns None unless it is queued, due, and in a running tournament."""
    return next(iter(claim_all(arena, [table_id], worker)), None)


def claim_all(arena: Arena, table_ids: Sequence[int], worker: str) -> list[Claim]:
    """Claim those of these tables that are queued, due, and in a running tournament. Returns the claims by ID."""
    playing = select(Tournament.id).where(
        Tournament.id == Table.tournament_id, Tournament.state == TournamentState.RUNNING, ~Tournament.outside
    )
    with arena.transaction() as session:
        return _claim_all(session, table_ids, worker, playing.exists())


def _claim_all(session: Session, table_ids: Sequence[int], worker: str, *only: ColumnElement[bool]) -> list[Claim]:
    claimed = TABLES.claim_all(session, table_ids, *only, worker=worker)
    if claimed:
        rows = [{"table_id": table, "fence": fence, "worker": worker} for table, fence in claimed]
        session.connection().execute(insert(_ATTEMPTS).values(started=now()), rows)
    return claimed


def settle(session: Session, table_id: int, worker: str, result: TableResult) -> None:
    """Store the result of a waiting table that was played elsewhere than by a worker, unless it was cancelled."""
    _accept(session, dict.fromkeys(_claim_all(session, [table_id], worker), result))


def give_up(session: Session, table_id: int, worker: str, reason: str) -> None:
    """Give up a waiting table that could not be played elsewhere than by a worker, unless it was cancelled."""
    for claim in _claim_all(session, [table_id], worker):
        TABLES.change(session, claim, **_GIVEN_UP, lease_until=None)
        _end_given_up(session, claim, AttemptOutcome.FAULT, reason)


def give_back(arena: Arena, claim: Claim, reason: str) -> None:
    """Queue a table again after an infrastructure failure, or give it up after the last attempt. Raises `LeaseLost`."""
    with arena.transaction() as session:
        _release(session, claim, AttemptOutcome.FAULT, reason)


def hand_back(arena: Arena, claims: Sequence[Claim]) -> None:
    """Queue tables again that their worker has not begun, which is no failed attempt. Lost claims are left alone."""
    with arena.transaction() as session:
        queued = {**TABLES.returned, "lease_until": None, "attempts": Table.attempts - 1}
        _end_attempts(session, TABLES.change_all(session, claims, **queued), AttemptOutcome.RETURNED)


def expire(arena: Arena) -> int:
    """Queue tables again whose workers stopped renewing their leases. Returns the number of tables."""
    with arena.reading() as session:
        expired = TABLES.expired(session)
    return sum(_expire(arena, claim) for claim in expired)


def submit(arena: Arena, claim: Claim, result: TableResult) -> None:
    """Store the result of a table in one transaction. Raises `LeaseLost`."""
    if not submit_all(arena, {claim: result}):
        raise LeaseLost(f"claim {claim.fence} on table {claim.id} no longer holds")


def submit_all(arena: Arena, results: Mapping[Claim, TableResult]) -> list[Claim]:
    """Store the results whose claims still hold, in one transaction. Returns these claims by ID."""
    with arena.transaction() as session:
        return _accept(session, results)


def _accept(session: Session, results: Mapping[Claim, TableResult]) -> list[Claim]:
    settled = {"state": TableState.DONE, "lease_until": None, "finished": now()}
    accepted = TABLES.change_all(session, list(results), **settled)
    if accepted:
        _end_attempts(session, accepted, AttemptOutcome.DONE)
        store_matches(session, {claim: results[claim].matches for claim in accepted})
        _store_places(session, {claim.id: results[claim] for claim in accepted})
        _count_done(session, {claim.id: results[claim].insecure for claim in accepted})
        tallies.add(session, *(claim.id for claim in accepted))
        _note_first_faults(session, [claim.id for claim in accepted if any(results[claim].faults)])
    return accepted


def _note_first_faults(session: Session, tables: Sequence[int]) -> None:
    """Note the first faults of versions at these tables, on which a result with faults was just stored, as events."""
    if not tables:
        return
    failed = (
        select(TableSeat.version_id, Tournament.id, Table.id)
        .join(Table, Table.id == TableSeat.table_id)
        .join(Tournament, Tournament.id == Table.tournament_id)
        .where(Table.id.in_(tables), TableSeat.faults > 0, Tournament.rated)
        .order_by(Table.id.desc())
    )
    first = {version: (tournament, table) for version, tournament, table in session.execute(failed)}
    # Locked in order, to avoid a deadlock with another worker that stores faults of the same versions.
    unknown = select(Version).where(Version.id.in_(first), Version.faulted.is_(None)).order_by(Version.id)
    for version in session.scalars(unknown.with_for_update(of=Version)):
        tournament, table = first[version.id]
        version.faulted = session.scalars(select(now())).one()
        found = session.get_one(Tournament, tournament)
        log.note_version(session, EventKind.VERSION_FAULTED, version, found, table=table)


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
    if TABLES.release(session, claim, _GIVEN_UP, *only):
        _end_given_up(session, claim, outcome, reason)
    else:
        _end_attempts(session, [claim], outcome, reason)


def _end_given_up(session: Session, claim: Claim, outcome: str, reason: str) -> None:
    _end_attempts(session, [claim], outcome, reason)
    tournament = select(Table.tournament_id).where(Table.id == claim.id)
    set_counters(session, session.scalars(tournament).one(), tables_failed=Tournament.tables_failed + 1)


def _end_attempts(session: Session, claims: Sequence[Claim], outcome: str, reason: str | None = None) -> None:
    """Record how attempts ended."""
    session.execute(
        update(Attempt)
        .where(Attempt.table_id.in_([claim.id for claim in claims]))
        .where(tuple_(Attempt.table_id, Attempt.fence).in_(claims))
        .values(ended=now(), outcome=outcome, reason=reason)
        .execution_options(synchronize_session=False)
    )
    ATTEMPTS.labels(outcome).inc()


def _count_done(session: Session, insecure: Mapping[int, bool]) -> None:
    """Count finished tables in their tournaments. `insecure` has, by table ID, whether a match was played uncaged."""
    found = session.execute(select(Table.tournament_id, Table.id).where(Table.id.in_(insecure))).all()
    for tournament in sorted({row.tournament_id for row in found}):  # in this order, to avoid a deadlock
        tables = [row.id for row in found if row.tournament_id == tournament]
        set_counters(
            session,
            tournament,
            tables_done=Tournament.tables_done + len(tables),
            tables_insecure=Tournament.tables_insecure + sum(insecure[table] for table in tables),
        )


def set_counters(session: Session, tournament: int, **counted: Any) -> None:
    """Update the counters of a tournament. `stages.advance` decides what follows."""
    session.execute(
        update(Tournament)
        .where(Tournament.id == tournament)
        .values(**counted)
        .execution_options(synchronize_session=False)
    )


def store_matches(session: Session, played: Mapping[Claim, Sequence[PlayedMatch]]) -> None:
    """Store the matches of attempts at tables, all with a time of their end or none."""
    numbered = [(claim, seating, one) for claim, matches in played.items() for seating, one in enumerate(matches)]
    if not numbered:
        return
    rows = [
        {"table_id": claim.id, "fence": claim.fence, "seating": seating, "record": one.record, "cage": one.cage,
         "packages": one.packages, **({} if one.finished is None else {"finished": one.finished})}
        for claim, seating, one in numbered
    ]  # fmt: skip
    connection = session.connection()
    ids = connection.scalars(insert(_MATCHES).returning(_MATCHES.c.id, sort_by_parameter_order=True), rows).all()
    seats = [
        {"match_id": match_id, "seat": number, **seat}
        for match_id, (_, _, one) in zip(ids, numbered, strict=True)
        for number, seat in enumerate(one.seats)
    ]
    connection.execute(insert(_SEATS), seats)


def _store_places(session: Session, results: Mapping[int, TableResult]) -> None:
    rows = [
        {"of": table, "at": position, "half_points": half_points, "rank": rank, "faults": faults}
        for table, result in results.items()
        for position, (half_points, rank, faults) in enumerate(
            zip(result.half_points, result.ranks, result.faults, strict=True)
        )
    ]
    at = (_PLACES.c.table_id == bindparam("of"), _PLACES.c.position == bindparam("at"))
    session.connection().execute(update(_PLACES).where(*at), rows)


def first_unsettled(session: Session, tournament: Tournament) -> int:
    """Return the number of the first unsettled table, or the number of tables if all are settled."""
    here = Table.tournament_id == tournament.id
    firsts = [session.scalar(select(func.min(Table.number)).where(here, Table.state == state)) for state in UNSETTLED]
    return min((first for first in firsts if first is not None), default=tournament.tables_total)
