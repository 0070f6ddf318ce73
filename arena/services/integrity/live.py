"""Integrity of live tables: their moves are replayed, and compared with their records and with rated results."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import LiveBoards, LiveTable, Match, Table
from arena.games.base import CHANCE
from arena.games.chance import commitment
from arena.games.errors import RecordError
from arena.match.record import encode, is_of, unpack
from arena.match.replay import verify
from arena.services.base.states import LiveState, TableState
from arena.services.integrity.findings import Wrong, check_rows, correct
from arena.services.integrity.leases import leased
from arena.services.live.positions import drawer, log_of, rules_of

TIMED: Final = (LiveState.FINISHED, LiveState.ABANDONED)
"""States with a time of finishing."""


def table(session: Session, live_id: int) -> Iterator[Wrong]:
    """Check the claims and the seats of a live table, and what its state requires."""
    row = session.get_one(LiveTable, live_id)
    release = correct(LiveTable, {"lease_until": None, "fence": LiveTable.fence + 1}, id=row.id)
    held = leased(session, row, row.state == LiveState.PLAYING, release)
    # A lease that has run out may stay for long: a host claims the table when its people come back.
    yield from (wrong for wrong in held if not wrong.heals)
    if not 0 <= row.attempts <= row.fence:
        yield Wrong(f"{row.attempts} attempts are counted, but its fence is {row.fence}")
    if (row.finished is not None) != (row.state in TIMED):
        yield Wrong(f"it is {row.state}, but its time of finishing is {row.finished}")
    yield from _seats(row)


def _seats(row: LiveTable) -> Iterator[Wrong]:
    numbers, bots = [one.seat for one in row.seats], row.boards.bots
    if numbers != list(range(rules_of(row.boards).players)):
        yield Wrong(f"it has the seats {numbers}; its game has {rules_of(row.boards).players}, numbered from 0")
    elif strangers := [one.seat for one in row.seats if bots[one.seat] not in (None, one.version_id)]:
        yield Wrong(f"in its seats {strangers} sit others than the bots of its boards")
    if scored := [one.seat for one in row.seats if (one.rank is None) == (row.state == LiveState.FINISHED)]:
        yield Wrong(f"it is {row.state}, but its seats {scored} have {'no' if row.record else 'the'} ranks")


def moves(session: Session, live_id: int) -> Iterator[Wrong]:
    """Check that the moves of a live table follow the rules, and that its record and a rated result equal them."""
    row = session.get_one(LiveTable, live_id)
    yield from map(Wrong, _illegal(session, row))
    if row.state == LiveState.FINISHED:
        yield from map(Wrong, _recorded(session, row))
    if row.table_id is not None:
        yield from map(Wrong, _rated(session, row))


def _illegal(session: Session, row: LiveTable) -> Iterator[str]:
    """Replay the moves. The choices of an open step may come in any order; only then a move may be missing."""
    rules = rules_of(row.boards)
    state, draw = rules.start(), drawer(rules, row.boards.seed)
    for number, (index, move) in enumerate(log_of(session, row.id)):
        while state.seat == CHANCE:
            state.deal(draw(state.boards))
        if index != number:
            if index >= number + len(state.actors()):
                yield f"its move {number} is missing"
            return
        if move.seat != state.seat or move.token not in map(rules.token, state.legal(state.seat)):
            yield f"its move {number}, {move.token!r} of seat {move.seat}, is against the rules"
            return
        state.apply(rules.action(move.token))


def _recorded(session: Session, row: LiveTable) -> Iterator[str]:
    record = unpack(row.record or b"")
    yield from _flaws(record, row.boards)
    if record["moves"] != [[move.seat, move.token] for _, move in log_of(session, row.id)]:
        yield "its moves are not those of its record"
    kinds = {fault["seat"]: fault["kind"] for fault in record["faults"]}
    stored = [(one.score, one.rank, one.fault) for one in row.seats]
    right = [(*pair, kinds.get(seat)) for seat, pair in enumerate(zip(record["scores"], record["ranks"], strict=True))]
    if stored != right:
        yield f"its seats have (score, rank, fault) {stored}, but the record says {right}"


def _flaws(record: Mapping[str, Any], boards: LiveBoards) -> Iterator[str]:
    """Say why a record is not one of these boards."""
    rules = rules_of(boards)
    draw = drawer(rules, boards.seed)
    try:
        verify(encode(record))
    except RecordError as error:
        yield f"its record is wrong: {error}"
    if not is_of(record, rules):
        yield "its record is of another game"
    elif record["boards"] != [rules.board_to_json(draw(index)) for index in range(len(record["boards"]))]:
        yield "the boards of its record do not follow from its seed"


def _rated(session: Session, row: LiveTable) -> Iterator[str]:
    """Check the result in the tournament, whose table is played once."""
    state = session.scalar(select(Table.state).where(Table.id == row.table_id))
    if state == TableState.DONE and row.state != LiveState.FINISHED:
        yield f"it is {row.state}, but table {row.table_id} of its tournament is done"
    records = session.scalars(select(Match.record).where(Match.table_id == row.table_id)).all()
    if row.record is not None and [unpack(row.record)] != [unpack(one) for one in records]:
        yield f"its record is not that of table {row.table_id} of its tournament"


def boards(session: Session, boards_id: int) -> Iterator[Wrong]:
    """Check the commitment to a seed, and the results of bots that played the boards in the person's seat."""
    row = session.get_one(LiveBoards, boards_id)
    if row.commitment != commitment(row.seed):
        yield Wrong("its commitment is not that of its seed")
    for one in row.field:
        record = unpack(one.record) if one.record is not None else None
        wrongs = [] if record is None else list(_flaws(record, row))
        if record and not wrongs and record["scores"][row.bots.index(None)] != one.score:
            wrongs = [f"it has {one.score} points, but its record says {record['scores']}"]
        yield from (Wrong(f"version {one.version_id} of its field: {what}") for what in wrongs)


CHECKS = (
    check_rows("live table", LiveTable, table),
    check_rows("live table", LiveTable, moves, reads_records=True),
    check_rows("live boards", LiveBoards, boards, reads_records=True),
)
