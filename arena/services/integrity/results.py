"""Integrity of results: every record is replayed, and compared with the rows of its match and its table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session, undefer_group

from arena.db.models import Match, MatchSeat, Table, TableSeat
from arena.games.errors import RecordError
from arena.match import answers
from arena.match.record import encode, is_of, unpack
from arena.match.replay import verify
from arena.services.base.states import TableState
from arena.services.base.texts import described
from arena.services.integrity.findings import Wrong, check_rows, correct
from arena.services.play.seats import Sitter
from arena.services.play.table import Work, drawer
from arena.services.work.play import work_at
from arena.tournament.histogram import Histogram
from arena.tournament.tables import PlaceResult

Record = dict[str, Any]
Order = Sequence[tuple[int, tuple[int, ...]]]
"""Matches of a table: the number of the set of boards, and for each seat the place of its bot."""


def results(session: Session, table_id: int) -> Iterator[Wrong]:
    """Check a table's places and all its matches, and that the accepted ones add up to its result."""
    table = session.get_one(Table, table_id)
    places = session.scalars(select(TableSeat).filter_by(table_id=table_id).order_by(TableSeat.position)).all()
    if not places and table.tournament.origin:
        return  # left out of an import
    work = _work(session, table, places)
    if work is None:
        return
    positions = [place.position for place in places]
    if positions != list(range(work.kind.places)):
        yield Wrong(f"it has the places {positions}; it must have {work.kind.places}, numbered from 0")
        return
    order = work.kind.matches(work.boards)
    records: dict[int, Record] = {}
    for match_id in session.scalars(select(Match.id).filter_by(table_id=table_id).order_by(Match.seating)).all():
        match = session.get_one(Match, match_id)
        wrongs = list(_match(session, match, work, order, records))
        yield from (Wrong(f"match {match_id}: {what}") for what in wrongs)
        session.expunge(match)
    if table.state == TableState.DONE:
        yield from _result(session, table, places, work, order, records)


def _work(session: Session, table: Table, places: Sequence[TableSeat]) -> Work | None:
    """Return the work of a table, without sources; None if its tournament is damaged, which another check reports."""
    sitters = [Sitter(place.version_id, "", b"") for place in places]
    try:
        return work_at(session, table.id, sitters) if table.tournament else None
    except ValueError:  # an unknown variant or option, or malformed JSON
        return None


def _match(session: Session, match: Match, work: Work, order: Order, records: dict[int, Record]) -> Iterator[str]:
    """Check a match. The record of an accepted match without damage is added to `records`, by seating."""
    if not 0 <= match.seating < len(order):
        yield f"its number within the table is {match.seating}; the table has {len(order)} matches"
        return
    try:
        board_set, seating = order[match.seating]
        record = _record(session, match, work)
        wrongs = [*_boards(record, work, board_set), *_seats(session, match, record, work, seating)]
    except RecordError as error:
        yield f"its record is wrong: {error}"
    except Exception as error:
        yield f"it cannot be checked: {described(error)}"
    else:
        yield from wrongs
        if not wrongs and not match.superseded:
            records[match.seating] = record


def _record(session: Session, match: Match, work: Work) -> Record:
    """Return a match's verified record. Raises `RecordError` if it is invalid or of another game."""
    record = unpack(session.scalars(select(Match.record).where(Match.id == match.id)).one())
    verify(encode(record))
    if not is_of(record, work.rules):
        raise RecordError("its game and options differ from the tournament's")
    return record


def _boards(record: Record, work: Work, board_set: int) -> Iterator[str]:
    if not work.seed:
        return  # imported while it was secret
    draw = drawer(work, board_set)
    if record["boards"] != [work.rules.board_to_json(draw(index)) for index in range(len(record["boards"]))]:
        yield "its boards do not follow from the tournament's seed"


def _seats(session: Session, match: Match, record: Record, work: Work, seating: Sequence[int]) -> Iterator[str]:
    """Check that the rows of a match's seats agree with its record, and that pages can show them."""
    seats = session.scalars(
        select(MatchSeat).filter_by(match_id=match.id).order_by(MatchSeat.seat).options(undefer_group("private"))
    ).all()
    kinds = {fault["seat"]: fault["kind"] for fault in record["faults"]}
    stored = [(seat.seat, seat.version_id, seat.score, seat.rank, seat.fault) for seat in seats]
    recorded = [
        (seat, work.places[place].version, record["scores"][seat], record["ranks"][seat], kinds.get(seat))
        for seat, place in enumerate(seating)
    ]
    if stored != recorded:
        yield f"its seats (number, version, score, rank, fault) are {stored}, but the record says {recorded}"
    moves = {fault["seat"]: fault["move"] for fault in record["faults"]}
    noted = {seat.seat: seat.move for seat in seats if seat.move is not None}
    if any(moves.get(seat) != move for seat, move in noted.items()):
        yield f"its seats failed at the moves {noted} (by seat), but the record says {moves}"
    yield from (what for seat in seats for what in _measured(seat))


def _measured(seat: MatchSeat) -> Iterator[str]:
    try:
        Histogram.decode(seat.think)
    except (AttributeError, ValueError):
        yield f"the histogram of seat {seat.seat} cannot be read"
    try:
        answers.unpack(seat.answers)
    except answers.DAMAGE:
        yield f"the answers of seat {seat.seat} cannot be read"


def _result(
    session: Session,
    table: Table,
    places: Sequence[TableSeat],
    work: Work,
    order: Order,
    records: Mapping[int, Record],
) -> Iterator[Wrong]:
    """Check that a table has one match per seating, all of its last attempt, and that they add up to its result."""
    accepted = select(Match.seating, Match.fence).where(Match.table_id == table.id, Match.superseded.is_(False))
    found = session.execute(accepted.order_by(Match.seating)).all()
    seatings = list(range(len(order)))
    if [match.seating for match in found] != seatings:
        numbers = [match.seating for match in found]
        yield Wrong(f"it must have one match for each of {len(seatings)} seatings; it has seatings {numbers}")
    elif strays := sorted({match.fence for match in found} - {table.fence}):
        yield Wrong(f"it has matches of the attempts {strays}; all must be of the last one, {table.fence}")
    elif list(records) == seatings:
        yield from _places(places, work, records)


def _places(places: Sequence[TableSeat], work: Work, records: Mapping[int, Record]) -> Iterator[Wrong]:
    """Check that a table's result is the sum of its matches."""
    for place, right in zip(places, map(tuple, work.kind.result([*records.values()])), strict=True):
        stored = (place.half_points, place.rank, place.faults)
        if stored != right:
            values = dict(zip(PlaceResult._fields, right, strict=True))
            repair = correct(TableSeat, values, table_id=place.table_id, position=place.position)
            what = f"place {place.position} has (half points, rank, faults) {stored}, but its matches add up to {right}"
            yield Wrong(what, repair)


CHECKS = (check_rows("table", Table, results, reads_records=True),)
