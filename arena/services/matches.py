"""Matches: rows for lists, the page of one, its record and its replay."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload, selectinload, undefer_group

from arena.db.models import Match, MatchSeat, Table, Tournament, Version
from arena.games.errors import NotFound
from arena.games.events import Json
from arena.match import record
from arena.match.replay import replay
from arena.services.context import Arena
from arena.services.shapes import Account, Alone, MatchPage, MatchRow, SeatDetail, SeatRow

_WITH_NAMES: Final = select(Match).options(
    joinedload(Match.table).joinedload(Table.tournament),
    selectinload(Match.seats).joinedload(MatchSeat.version).joinedload(Version.bot),
)


def match_page(arena: Arena, match_id: int, viewer: Account | None) -> MatchPage:
    """One match. What a bot printed and why it failed is for its owner and admins only. Raises NotFound."""
    with arena.reading() as session:
        match = _one(session, match_id)
        row = _row(match)
        seats = session.scalars(
            select(MatchSeat)
            .where(MatchSeat.match_id == match_id)
            .order_by(MatchSeat.seat)
            .options(undefer_group("private"), joinedload(MatchSeat.version).joinedload(Version.bot))
        )
        details = tuple(_detail(seat, viewer) for seat in seats)
        return MatchPage(row, details, _sets(session, row), _alone(session, row), match.cage)


def record_bytes(arena: Arena, match_id: int) -> bytes:
    """The match record as a user downloads it. Raises NotFound."""
    return record.encode(_record(arena, match_id))


def replay_of(arena: Arena, match_id: int) -> dict[str, Json]:
    """What the replay page draws; see `arena.match.replay.replay`. Raises NotFound."""
    return replay(_record(arena, match_id))


def rows(session: Session, ids: Sequence[int]) -> tuple[MatchRow, ...]:
    """The rows of these matches, in this order."""
    by_id = {match.id: _row(match) for match in session.scalars(_WITH_NAMES.where(Match.id.in_(ids)))}
    return tuple(map(by_id.__getitem__, ids))


def latest(session: Session, count: int) -> tuple[MatchRow, ...]:
    """The latest matches, latest first."""
    return rows(session, session.scalars(select(Match.id).order_by(Match.id.desc()).limit(count)).all())


def latest_of(session: Session, version_ids: Sequence[int], count: int) -> tuple[MatchRow, ...]:
    """The latest matches in which one of these versions sat, latest first."""
    sat = select(MatchSeat.match_id).where(MatchSeat.version_id.in_(version_ids)).distinct()
    return rows(session, session.scalars(sat.order_by(MatchSeat.match_id.desc()).limit(count)).all())


def moment(epoch: float) -> datetime:
    """A time of the database as people's code wants it."""
    return datetime.fromtimestamp(epoch, UTC)


def may_see(owner_id: int, viewer: Account | None) -> bool:
    """Whether the viewer may read what is private to a bot of that owner."""
    return viewer is not None and (viewer.is_admin or viewer.id == owner_id)


def _one(session: Session, match_id: int) -> Match:
    match = session.scalar(_WITH_NAMES.where(Match.id == match_id))
    if match is None:
        raise NotFound(f"There is no match {match_id}.")
    return match


def _sets(session: Session, row: MatchRow) -> tuple[tuple[int, ...], ...]:
    """The matches of the table, by set of boards."""
    ids = session.scalars(select(Match.id).where(Match.table_id == row.table_id).order_by(Match.seating)).all()
    boards = session.scalars(select(Tournament.boards).where(Tournament.id == row.tournament_id)).one()
    seatings = len(ids) // boards
    return tuple(tuple(ids[first : first + seatings]) for first in range(0, len(ids), seatings))


def _alone(session: Session, row: MatchRow) -> Alone | None:
    if len(row.seats) > 1:
        return None
    played = record.unpack(session.scalars(select(Match.record).where(Match.id == row.id)).one())
    return Alone(played["result"], tuple(played["dummy_scores"]))


def _record(arena: Arena, match_id: int) -> dict[str, Json]:
    with arena.reading() as session:
        packed = session.scalar(select(Match.record).where(Match.id == match_id))
    if packed is None:
        raise NotFound(f"There is no match {match_id}.")
    return record.unpack(packed)


def _row(match: Match) -> MatchRow:
    table = match.table
    return MatchRow(
        id=match.id,
        tournament_id=table.tournament_id,
        tournament=table.tournament.name,
        table_id=table.id,
        table_number=table.number,
        seating=match.seating,
        variant=table.tournament.variant,
        finished=moment(match.finished),
        seats=tuple(map(_seat, match.seats)),
    )


def _seat(seat: MatchSeat) -> SeatRow:
    version = seat.version
    return SeatRow(
        seat.seat, version.bot_id, version.bot.name, version.id, version.number, seat.score, seat.rank, seat.fault
    )


def _detail(seat: MatchSeat, viewer: Account | None) -> SeatDetail:
    bot = seat.version.bot
    mine = may_see(bot.owner_id, viewer)
    seen = SeatDetail(_seat(seat), bot.owner.name, mine, seat.cpu, seat.memory)
    if not mine:
        return seen
    return replace(
        seen, detail=seat.detail, traceback=seat.traceback, output=seat.output, move=seat.move, view=seat.view
    )
