"""Matches: rows for lists, the page of one, its record and its replay."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload, undefer_group

from arena.db.models import Bot, Match, MatchSeat, Table, Tournament, Version
from arena.games.errors import NotFound
from arena.games.events import Json
from arena.match import record
from arena.match.replay import replay
from arena.services.context import Arena
from arena.services.shapes import Account, Alone, MatchPage, MatchRow, SeatDetail, SeatRow

# Columns, not objects: lists are read often, and objects bring with them all that is never shown.
_ROWS: Final = (
    select(
        Match.id, Table.tournament_id, Tournament.name, Match.table_id, Table.number, Match.seating,
        Tournament.variant, Match.finished,
    )
    .join(Table, Table.id == Match.table_id)
    .join(Tournament, Tournament.id == Table.tournament_id)
)  # fmt: skip
_SEATS: Final = (
    select(
        MatchSeat.match_id, MatchSeat.seat, Version.bot_id, Bot.name, Version.id, Version.number, MatchSeat.score,
        MatchSeat.rank, MatchSeat.fault,
    )
    .join(Version, Version.id == MatchSeat.version_id)
    .join(Bot, Bot.id == Version.bot_id)
    .order_by(MatchSeat.match_id, MatchSeat.seat)
)  # fmt: skip


def match_page(arena: Arena, match_id: int, viewer: Account | None) -> MatchPage:
    """One match. What a bot printed and why it failed is for its owner and admins only. Raises NotFound."""
    with arena.reading() as session:
        match = session.get(Match, match_id)
        if match is None:
            raise NotFound(f"There is no match {match_id}.")
        [row] = rows(session, [match_id])
        seats = session.scalars(
            select(MatchSeat)
            .where(MatchSeat.match_id == match_id)
            .order_by(MatchSeat.seat)
            .options(undefer_group("private"), joinedload(MatchSeat.version).joinedload(Version.bot))
        )
        details = tuple(_detail(seat, viewer) for seat in seats)
        sets = _sets(session, match, row.tournament_id)
        return MatchPage(row, details, sets, _alone(session, row), match.cage, match.superseded)


def record_bytes(arena: Arena, match_id: int) -> bytes:
    """The match record as a user downloads it. Raises NotFound."""
    return record.encode(_record(arena, match_id))


def replay_of(arena: Arena, match_id: int) -> dict[str, Json]:
    """What the replay page draws; see `arena.match.replay.replay`. Raises NotFound."""
    return replay(_record(arena, match_id))


def rows(session: Session, ids: Sequence[int]) -> tuple[MatchRow, ...]:
    """The rows of these matches, in this order."""
    found = session.execute(_SEATS.where(MatchSeat.match_id.in_(ids)))
    seats = {id: tuple(SeatRow(*row[1:]) for row in group) for id, group in groupby(found, key=lambda row: row[0])}
    by_id = {row[0]: _row(*row, seats[row[0]]) for row in session.execute(_ROWS.where(Match.id.in_(ids)))}
    return tuple(map(by_id.__getitem__, ids))


def latest(session: Session, count: int) -> tuple[MatchRow, ...]:
    """The latest matches, latest first."""
    ids = select(Match.id).where(Match.superseded.is_(False)).order_by(Match.id.desc()).limit(count)
    return rows(session, session.scalars(ids).all())


def latest_of(session: Session, version_ids: Sequence[int], count: int) -> tuple[MatchRow, ...]:
    """The latest matches in which one of these versions sat, latest first."""
    # An index has the matches of each version in their order; of several together it has not.
    found = {match_id for version_id in version_ids for match_id in _latest_of_one(session, version_id, count)}
    return rows(session, sorted(found, reverse=True)[:count])


def moment(epoch: float) -> datetime:
    """A time of the database as people's code wants it."""
    return datetime.fromtimestamp(epoch, UTC)


def may_see(owner_id: int, viewer: Account | None) -> bool:
    """Whether the viewer may read what is private to a bot of that owner."""
    return viewer is not None and (viewer.is_admin or viewer.id == owner_id)


def _latest_of_one(session: Session, version_id: int, count: int) -> Sequence[int]:
    # Not a join: for a bot that has rested, PostgreSQL would walk back through all matches to the ones that it wants.
    superseded = select(Match.superseded).where(Match.id == MatchSeat.match_id).scalar_subquery()
    return session.scalars(
        select(MatchSeat.match_id)
        .where(MatchSeat.version_id == version_id, superseded.is_(False))
        .distinct()
        .order_by(MatchSeat.match_id.desc())
        .limit(count)
    ).all()


def _sets(session: Session, match: Match, tournament_id: int) -> tuple[tuple[int, ...], ...]:
    """The matches of the same play of the table, by set of boards."""
    played = (Match.table_id == match.table_id, Match.fence == match.fence)
    ids = session.scalars(select(Match.id).where(*played).order_by(Match.seating)).all()
    boards = session.scalars(select(Tournament.boards).where(Tournament.id == tournament_id)).one()
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


def _row(
    id: int, tournament_id: int, tournament: str, table_id: int, number: int, seating: int, variant: str,
    finished: float, seats: tuple[SeatRow, ...],
) -> MatchRow:  # fmt: skip
    return MatchRow(id, tournament_id, tournament, table_id, number, seating, variant, moment(finished), seats)


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
