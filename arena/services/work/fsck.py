"""Check every invariant that the arena promises against the stored data."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session, selectinload, undefer

from arena.db.clock import now
from arena.db.models import Attempt, Match, Table, TableSeat, Tournament, Version
from arena.games.chance import commitment
from arena.games.errors import RecordError
from arena.match.record import encode, unpack
from arena.match.replay import verify
from arena.services.base.context import Arena
from arena.services.base.states import INSECURE, OVER, AttemptOutcome, TableState, TournamentState
from arena.services.ratings import strengths, tallies
from arena.services.ratings.audit import check_ratings, variants
from arena.services.tournaments import neighbours
from arena.services.tournaments.stages import OPEN
from arena.services.work.play import Work, drawer, load
from arena.services.work.sweep import SWEEP_EVERY
from arena.tournament import standings

GRACE: Final = 2 * SWEEP_EVERY
"""Seconds within which the sweep should have released an expired lease."""


def check(arena: Arena) -> list[str]:
    """Return a sentence for each violated invariant, without changing anything."""
    found: list[str] = []
    for check_one in _CHECKS:
        with arena.reading() as session:
            found += check_one(session)
    with arena.reading() as session:
        found += tallies.check(session) + strengths.check(session)
    for variant in variants(arena):
        found += [f"{variant}: {wrong}" for wrong in check_ratings(arena, variant)]
    return found


def _uploads(session: Session) -> Iterator[str]:
    """Check that each upload's source has its recorded size and hash."""
    for version_id in session.scalars(select(Version.id).order_by(Version.id)).all():
        version = session.get_one(Version, version_id, options=[undefer(Version.source)])
        intact = len(version.source) == version.size and hashlib.sha256(version.source).hexdigest() == version.sha256
        if not intact and not version.pruned:
            yield f"version {version_id}: its source does not match the size and hash recorded at upload"
        session.expunge(version)


def _tournaments(session: Session) -> Iterator[str]:
    """Check that counters and states of tournaments agree with their tables, and seeds with their commitments."""
    for tournament in session.scalars(select(Tournament).order_by(Tournament.id)).all():
        for wrong in (*_counters(session, tournament), *_state(session, tournament)):
            yield f"tournament {tournament.id}: {wrong}"


def _counters(session: Session, tournament: Tournament) -> Iterator[str]:
    states = select(Table.state, func.count()).where(Table.tournament_id == tournament.id).group_by(Table.state)
    counts = {row.state: row[1] for row in session.execute(states)}
    stored = (tournament.tables_total, tournament.tables_done, tournament.tables_failed, tournament.tables_cancelled)
    counted = (
        sum(counts.values()),
        *(counts.get(state, 0) for state in (TableState.DONE, TableState.INFRA_FAILED, TableState.CANCELLED)),
    )
    if stored != counted:
        yield f"its counters (total, done, failed, cancelled) are {stored}, but its tables give {counted}"
    insecure = _insecure(session, tournament.id)
    if tournament.tables_insecure != insecure:
        yield f"its insecure tables are counted as {tournament.tables_insecure}, but {insecure} are"
    numbers = select(func.max(Table.number), func.max(Table.stage)).where(Table.tournament_id == tournament.id)
    highest, stage = session.execute(numbers).one()
    if highest is not None and (highest + 1 != counted[0] or stage not in (tournament.stage, tournament.stage - 1)):
        yield f"its {counted[0]} tables go up to number {highest} and stage {stage}; {tournament.stage} stages exist"


def _state(session: Session, tournament: Tournament) -> Iterator[str]:
    waiting = tournament.tables_total - tournament.tables_settled
    if tournament.state in (TournamentState.DRAFT, TournamentState.SCHEDULED) and tournament.tables_total:
        yield f"it is {tournament.state}, but it has {tournament.tables_total} tables"
    if tournament.state in OVER and waiting:
        yield f"it is {tournament.state}, but {waiting} of its tables are not settled"
    if tournament.state == TournamentState.RUNNING and not waiting and _stands_still(session, tournament):
        yield f"it is running, but all its {tournament.tables_total} tables are settled, and it has not advanced"
    if commitment(tournament.seed) != tournament.commitment:
        yield "its seed does not match its commitment"


def _stands_still(session: Session, tournament: Tournament) -> bool:
    """Return whether two sweeps have failed to advance a tournament whose tables are all settled."""
    if tournament.format in OPEN:
        return False
    last = select(func.max(Table.finished)).where(Table.tournament_id == tournament.id).scalar_subquery()
    since = func.coalesce(last, tournament.started, 0)
    return bool(session.scalars(select(since < now() - GRACE)).one())


def _insecure(session: Session, tournament_id: int) -> int:
    here = (Table.tournament_id == tournament_id, Match.cage == INSECURE, Match.superseded.is_(False))
    return session.scalars(select(func.count(Match.table_id.distinct())).join(Table).where(*here)).one()


def _leases(session: Session) -> Iterator[str]:
    """Check that each running table has a live lease."""
    late = select(Table.id).where(Table.state == TableState.RUNNING, Table.lease_until < now() - GRACE)
    for table_id in session.scalars(late.order_by(Table.id)):
        yield f"table {table_id}: it is being played, but its lease ran out more than two sweeps ago"


def _tables(session: Session) -> Iterator[str]:
    """Check that each finished table has exactly one result and no other table has any, and that records match rows."""
    for table_id, state in session.execute(select(Table.id, Table.state).order_by(Table.id)).all():
        wrong = _result(session, table_id) if state == TableState.DONE else _no_result(session, table_id, state)
        yield from (f"table {table_id}: {what}" for what in (*wrong, *_superseded(session, table_id)))
        session.expunge_all()


def _no_result(session: Session, table_id: int, state: str) -> Iterator[str]:
    accepted = (Match.table_id == table_id, Match.superseded.is_(False))
    count = session.scalars(select(func.count()).select_from(Match).where(*accepted)).one()
    if count:
        yield f"it is {state}, but it has {count} matches"
    done = select(Attempt.fence).where(Attempt.table_id == table_id, Attempt.outcome == AttemptOutcome.DONE)
    if fences := session.scalars(done).all():
        yield f"it is {state}, but the attempts {fences} were accepted"
    ranked = select(TableSeat.position).where(TableSeat.table_id == table_id, TableSeat.rank.is_not(None))
    if places := session.scalars(ranked.order_by(TableSeat.position)).all():
        yield f"it is {state}, but its places {places} have ranks"


def _superseded(session: Session, table_id: int) -> Iterator[str]:
    """Check that matches that were set aside belong to attempts that were set aside."""
    matches = select(Match.fence).where(Match.table_id == table_id, Match.superseded).distinct()
    attempts = select(Attempt.fence).where(Attempt.table_id == table_id, Attempt.outcome == AttemptOutcome.SUPERSEDED)
    marked, ended = (set(session.scalars(fences)) for fences in (matches, attempts))
    if not marked <= ended:
        yield f"it has superseded matches of the attempts {sorted(marked)}, but only {sorted(ended)} are superseded"


def _result(session: Session, table_id: int) -> Iterator[str]:
    work = load(session, table_id)
    order = work.kind.matches(work.boards)
    matches = session.scalars(
        select(Match)
        .where(Match.table_id == table_id, Match.superseded.is_(False))
        .order_by(Match.seating)
        .options(undefer(Match.record), selectinload(Match.seats))
    ).all()
    found = [match.seating for match in matches]
    if found != list(range(len(order))):
        yield f"it must have one match for each of {len(order)} seatings; it has seatings {found}"
        return
    records = []
    for match, (board_set, seating) in zip(matches, order, strict=True):
        try:
            records.append(_record(match, work))
        except RecordError as error:
            yield f"match {match.id}: its record is wrong: {error}"
        else:
            yield from (f"match {match.id}: {what}" for what in _match(match, records[-1], work, board_set, seating))
    if len(records) == len(order):
        yield from _places(session, table_id, work.kind.half_points(records))
    yield from _attempts(session, table_id, matches)


def _record(match: Match, work: Work) -> dict[str, Any]:
    """Return a match's verified record. Raises `RecordError` if it is invalid or of another game."""
    record = unpack(match.record)
    verify(encode(record))
    if (record["game"], record["options"]) != (work.rules.id, work.rules.options):
        raise RecordError("its game and options differ from the tournament's")
    return record


def _match(
    match: Match, record: Mapping[str, Any], work: Work, board_set: int, seating: Sequence[int]
) -> Iterator[str]:
    """Check that a record has the boards of the seed and agrees with the rows of its match."""
    draw = drawer(work, board_set)
    if record["boards"] != [work.rules.board_to_json(draw(index)) for index in range(len(record["boards"]))]:
        yield "its boards do not follow from the tournament's seed"
    kinds = {fault["seat"]: fault["kind"] for fault in record["faults"]}
    stored = [(seat.version_id, seat.score, seat.rank, seat.fault) for seat in match.seats]
    recorded = [
        (work.places[place].version, record["scores"][seat], record["ranks"][seat], kinds.get(seat))
        for seat, place in enumerate(seating)
    ]
    if stored != recorded:
        yield f"its seats (version, score, rank, fault) are {stored}, but the record says {recorded}"
    moves = {fault["seat"]: fault["move"] for fault in record["faults"]}
    noted = {seat.seat: seat.move for seat in match.seats if seat.move is not None}
    if any(moves.get(seat) != move for seat, move in noted.items()):
        yield f"its seats failed at the moves {noted} (by seat), but the record says {moves}"


def _places(session: Session, table_id: int, points: Sequence[int]) -> Iterator[str]:
    """Check that a table's result is the sum of its matches."""
    places = session.scalars(select(TableSeat).where(TableSeat.table_id == table_id).order_by(TableSeat.position)).all()
    stored = [(place.half_points, place.rank) for place in places]
    counted = list(zip(points, standings.ranks(points), strict=True))
    if stored != counted:
        yield f"its places (half points, rank) are {stored}, but its matches add up to {counted}"


def _attempts(session: Session, table_id: int, matches: Sequence[Match]) -> Iterator[str]:
    """Check that only the attempt with the last fence was accepted, and that all matches belong to it."""
    done = select(Attempt.fence).where(Attempt.table_id == table_id, Attempt.outcome == AttemptOutcome.DONE)
    accepted = list(session.scalars(done))
    fence = session.scalar(select(Table.fence).where(Table.id == table_id))
    if accepted != [fence]:
        yield f"the attempts {accepted} were accepted; only the last one, {fence}, may be"
    if strays := sorted({match.fence for match in matches} - {fence}):
        yield f"it has matches of the attempts {strays}; all must be of the last one, {fence}"


_CHECKS: Final[tuple[Callable[[Session], Iterator[str]], ...]] = (
    _uploads, _tournaments, _leases, _tables, neighbours.check,
)  # fmt: skip
