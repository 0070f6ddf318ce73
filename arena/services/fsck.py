"""Check that the database says one thing: every invariant that the arena promises, from what is stored."""

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
from arena.services import tallies
from arena.services.audit import check_ratings, variants
from arena.services.context import Arena
from arena.services.play import Work, drawer, load
from arena.services.shapes import CANCELLED, DONE, DRAFT, INFRA_FAILED, INSECURE, OVER, RUNNING, SCHEDULED
from arena.services.stages import OPEN
from arena.services.sweep import SWEEP_EVERY
from arena.tournament import standings

GRACE: Final = 2 * SWEEP_EVERY
"""Seconds after which a lease that ran out should have been noticed."""


def check(arena: Arena) -> list[str]:
    """Every violated invariant, in a sentence each; empty where all is well. It only reads."""
    checks: tuple[Callable[[Session], Iterator[str]], ...] = (_uploads, _tournaments, _leases, _tables)
    found: list[str] = []
    for check_one in checks:
        with arena.reading() as session:
            found += check_one(session)
    with arena.reading() as session:
        found += tallies.check(session)
    for variant in variants(arena):
        found += [f"{variant}: {wrong}" for wrong in check_ratings(arena, variant)]
    return found


def _uploads(session: Session) -> Iterator[str]:
    """Every upload has its bytes and its hash."""
    for version_id in session.scalars(select(Version.id).order_by(Version.id)).all():
        version = session.get_one(Version, version_id, options=[undefer(Version.source)])
        if len(version.source) != version.size or hashlib.sha256(version.source).hexdigest() != version.sha256:
            yield f"version {version_id}: its source does not have the size and the hash that were noted at its upload"
        session.expunge(version)


def _tournaments(session: Session) -> Iterator[str]:
    """Counters are counts, states are what the tables say, and seeds are what was committed to."""
    for tournament in session.scalars(select(Tournament).order_by(Tournament.id)).all():
        for wrong in (*_counters(session, tournament), *_state(session, tournament)):
            yield f"tournament {tournament.id}: {wrong}"


def _counters(session: Session, tournament: Tournament) -> Iterator[str]:
    states = select(Table.state, func.count()).where(Table.tournament_id == tournament.id).group_by(Table.state)
    counts = {row.state: row[1] for row in session.execute(states)}
    told = (tournament.tables_total, tournament.tables_done, tournament.tables_failed, tournament.tables_cancelled)
    counted = (sum(counts.values()), *(counts.get(state, 0) for state in (DONE, INFRA_FAILED, CANCELLED)))
    if told != counted:
        yield f"it counts (total, done, failed, cancelled) {told}, but its tables are {counted}"
    insecure = _insecure(session, tournament.id)
    if tournament.tables_insecure != insecure:
        yield f"it counts {tournament.tables_insecure} insecure tables, but {insecure} of its tables are"
    numbers = select(func.max(Table.number), func.max(Table.stage)).where(Table.tournament_id == tournament.id)
    highest, stage = session.execute(numbers).one()
    if highest is not None and (highest + 1 != counted[0] or stage not in (tournament.stage, tournament.stage - 1)):
        yield f"its {counted[0]} tables go up to number {highest} and stage {stage}; {tournament.stage} stages are made"


def _state(session: Session, tournament: Tournament) -> Iterator[str]:
    waiting = tournament.tables_total - tournament.tables_settled
    if tournament.state in (DRAFT, SCHEDULED) and tournament.tables_total:
        yield f"it is {tournament.state}, but it has {tournament.tables_total} tables"
    if tournament.state in OVER and waiting:
        yield f"it is {tournament.state}, but {waiting} of its tables are not settled"
    if tournament.state == RUNNING and not waiting and _stands_still(session, tournament):
        yield f"it is running, but all its {tournament.tables_total} tables are settled, and nothing comes of it"
    if commitment(tournament.seed) != tournament.commitment:
        yield "its seed is not the one that it committed to"


def _stands_still(session: Session, tournament: Tournament) -> bool:
    """Whether two sweeps should have gone on with a tournament whose tables are settled, and have not."""
    if tournament.format in OPEN:
        return False
    last = select(func.max(Table.finished)).where(Table.tournament_id == tournament.id).scalar_subquery()
    since = func.coalesce(last, tournament.started, 0)
    return bool(session.scalars(select(since < now() - GRACE)).one())


def _insecure(session: Session, tournament_id: int) -> int:
    here = (Table.tournament_id == tournament_id, Match.cage == INSECURE, Match.superseded.is_(False))
    return session.scalars(select(func.count(Match.table_id.distinct())).join(Table).where(*here)).one()


def _leases(session: Session) -> Iterator[str]:
    """No table is being played by nobody."""
    late = select(Table.id).where(Table.state == RUNNING, Table.lease_until < now() - GRACE)
    for table_id in session.scalars(late.order_by(Table.id)):
        yield f"table {table_id}: it is being played, but its lease ran out more than two sweeps ago"


def _tables(session: Session) -> Iterator[str]:
    """A finished table has exactly one result, every other one has none, and records and rows agree."""
    for table_id, state in session.execute(select(Table.id, Table.state).order_by(Table.id)).all():
        wrong = _result(session, table_id) if state == DONE else _no_result(session, table_id, state)
        yield from (f"table {table_id}: {what}" for what in (*wrong, *_set_aside(session, table_id)))
        session.expunge_all()


def _no_result(session: Session, table_id: int, state: str) -> Iterator[str]:
    accepted = (Match.table_id == table_id, Match.superseded.is_(False))
    count = session.scalars(select(func.count()).select_from(Match).where(*accepted)).one()
    if count:
        yield f"it is {state}, but it has {count} matches"
    done = select(Attempt.fence).where(Attempt.table_id == table_id, Attempt.outcome == "done")
    if fences := session.scalars(done).all():
        yield f"it is {state}, but the attempts {fences} were accepted"
    ranked = select(TableSeat.position).where(TableSeat.table_id == table_id, TableSeat.rank.is_not(None))
    if places := session.scalars(ranked).all():
        yield f"it is {state}, but its places {places} have ranks"


def _set_aside(session: Session, table_id: int) -> Iterator[str]:
    """What was set aside came from attempts that were."""
    matches = select(Match.fence).where(Match.table_id == table_id, Match.superseded).distinct()
    attempts = select(Attempt.fence).where(Attempt.table_id == table_id, Attempt.outcome == "superseded")
    marked, ended = (set(session.scalars(fences)) for fences in (matches, attempts))
    if not marked <= ended:
        yield f"matches of the attempts {sorted(marked)} are set aside, but only those of {sorted(ended)} were"


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
    """The record, which is that of a legal match. Raises RecordError."""
    record = unpack(match.record)
    verify(encode(record))
    if (record["game"], record["options"]) != (work.rules.id, work.rules.options):
        raise RecordError("its game and options are not those of the tournament")
    return record


def _match(
    match: Match, record: Mapping[str, Any], work: Work, board_set: int, seating: Sequence[int]
) -> Iterator[str]:
    """The record is on the boards of the seed, and the rows beside it say the same."""
    draw = drawer(work, board_set)
    if record["boards"] != [work.rules.board_to_json(draw(index)) for index in range(len(record["boards"]))]:
        yield "its boards are not those of the tournament's seed"
    kinds = {fault["seat"]: fault["kind"] for fault in record["faults"]}
    told = [(seat.version_id, seat.score, seat.rank, seat.fault) for seat in match.seats]
    recorded = [
        (work.places[place].version, record["scores"][seat], record["ranks"][seat], kinds.get(seat))
        for seat, place in enumerate(seating)
    ]
    if told != recorded:
        yield f"its seats (version, score, rank, fault) are {told}, but the record says {recorded}"
    moves = {fault["seat"]: fault["move"] for fault in record["faults"]}
    noted = {seat.seat: seat.move for seat in match.seats if seat.move is not None}
    if any(moves.get(seat) != move for seat, move in noted.items()):
        yield f"its seats failed at the moves {noted} (by seat), but the record says {moves}"


def _places(session: Session, table_id: int, points: Sequence[int]) -> Iterator[str]:
    """The table's result is what its matches add up to."""
    places = session.scalars(select(TableSeat).where(TableSeat.table_id == table_id).order_by(TableSeat.position)).all()
    told = [(place.half_points, place.rank) for place in places]
    counted = list(zip(points, standings.ranks(points), strict=True))
    if told != counted:
        yield f"its places (half points, rank) are {told}, but its matches add up to {counted}"


def _attempts(session: Session, table_id: int, matches: Sequence[Match]) -> Iterator[str]:
    """Exactly one attempt was accepted, the one of the last fence, and the matches are its."""
    done = select(Attempt.fence).where(Attempt.table_id == table_id, Attempt.outcome == "done")
    accepted = list(session.scalars(done))
    fence = session.scalar(select(Table.fence).where(Table.id == table_id))
    if accepted != [fence]:
        yield f"the attempts {accepted} were accepted; it must be the last one, {fence}, alone"
    if strays := sorted({match.fence for match in matches} - {fence}):
        yield f"it has matches of the attempts {strays}; all must be of the last one, {fence}"
