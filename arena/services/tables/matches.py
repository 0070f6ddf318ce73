"""Matches: rows for lists, the page of a match, its record, and its replay."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload, undefer_group

from arena.db.models import Bot, Match, MatchSeat, Table, Tournament, Version
from arena.games.errors import NotFound
from arena.games.events import Json
from arena.games.registry import GAMES, LEADERBOARDS, game
from arena.match import answers, record
from arena.match.deals import deals_of
from arena.match.moves import part_of
from arena.match.replay import replay
from arena.match.text import text_of
from arena.services.base.access import Account, may_see
from arena.services.base.context import Arena
from arena.services.base.times import moment
from arena.services.tables.views import MatchPage, MatchRow, SeatDetail, SeatRow, Solitaire
from arena.words import _

STEPS: Final = 256
"""Number of the replay's steps in one part of a match's moves."""

NEWEST: Final = 2**63 - 1
"""Above every ID."""
SEATINGS: Final = 120
"""Maximum number of matches whose deals are compared: all orders of five bots."""

# Columns, not objects: lists are read often, and objects would load much that lists never show.
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
        MatchSeat.rank, MatchSeat.fault, MatchSeat.move,
    )
    .join(Version, Version.id == MatchSeat.version_id)
    .join(Bot, Bot.id == Version.bot_id)
    .order_by(MatchSeat.match_id, MatchSeat.seat)
)  # fmt: skip


def match_page(arena: Arena, match_id: int, viewer: Account | None) -> MatchPage:
    """Return the page of a match; bots' output and errors are for their owners and admins. Raises `NotFound`."""
    with arena.reading() as session:
        match = session.get(Match, match_id)
        if match is None:
            raise NotFound(_("There is no match %(id)s.", id=match_id))
        [row] = rows(session, [match_id])
        seats = session.scalars(
            select(MatchSeat)
            .where(MatchSeat.match_id == match_id)
            .order_by(MatchSeat.seat)
            .options(
                undefer_group("private"),
                joinedload(MatchSeat.version).joinedload(Version.bot).selectinload(Bot.members),
            )
        )
        details = tuple(_detail(seat, viewer, match) for seat in seats)
        sets = _sets(session, match, row.tournament_id)
        alone, compared = solitaire_result(session, row), _compared(row, sets)
        return MatchPage(row, details, sets, alone, match.cage, match.packages, match.superseded, compared)


def record_bytes(arena: Arena, match_id: int) -> bytes:
    """Return the match record as users download it. Raises `NotFound`."""
    return record.encode(_record(arena, match_id))


def text(arena: Arena, match_id: int) -> str:
    """Return a match as card players write it (`arena.match.text`). Raises `NotFound`."""
    return text_of(_record(arena, match_id))


def replay_of(arena: Arena, match_id: int) -> dict[str, Json]:
    """Return the data of the replay page (`arena.match.replay.replay`). Raises `NotFound`."""
    return replay(_record(arena, match_id))


def moves_of(arena: Arena, match_id: int, part: int) -> dict[str, Json]:
    """Return the moves of one part of the replay, with what the seats knew. Parts count from 0. Raises `NotFound`."""
    played, first = _record(arena, match_id), part * STEPS
    with arena.reading() as session:
        stored = session.execute(select(MatchSeat.seat, MatchSeat.answers).where(MatchSeat.match_id == match_id))
        courses = {seat: answers.unpack(packed) for seat, packed in stored}
    return part_of(played, range(first, first + STEPS), courses)


def printed(arena: Arena, match_id: int, viewer: Account | None) -> dict[int, dict[int, str]]:
    """Return what the viewer's bots printed, by seat and move; for administrators all bots. Raises `NotFound`."""
    page = match_page(arena, match_id, viewer)
    return {seat.row.seat: dict(seat.printed) for seat in page.seats if seat.printed}


def same_deals(arena: Arena, match_id: int) -> dict[str, Json]:
    """Return what every seating of a match made of each deal, this match first. Raises `NotFound`.

    There are none if the deals cannot be compared: without cards that are dealt, or with more than `SEATINGS` matches.
    """
    with arena.reading() as session:
        match = session.get(Match, match_id)
        if match is None:
            raise NotFound(_("There is no match %(id)s.", id=match_id))
        [row] = rows(session, [match_id])
        sets = _sets(session, match, row.tournament_id)
        ids = _siblings(match_id, sets) if _compared(row, sets) else ()
        packed = session.execute(select(Match.id, Match.record).where(Match.id.in_(ids)))
        records = {id: record.unpack(data) for id, data in packed}
    order = sorted(ids, key=match_id.__ne__)
    return {"seatings": [_seating(id, ids.index(id), records[id]) for id in order]}


def _siblings(match_id: int, sets: Sequence[Sequence[int]]) -> Sequence[int]:
    """Return the IDs of the matches with the same boards, in the order of seatings."""
    return next(ids for ids in sets if match_id in ids)


def _compared(row: MatchRow, sets: Sequence[Sequence[int]]) -> int:
    """Return the number of matches whose deals can be compared; 0 if there is nothing to compare."""
    variant, count = LEADERBOARDS.get(row.variant), len(_siblings(row.id, sets))
    dealt = variant is not None and game(variant.game, variant.options).max_boards != 0
    return count if dealt and 1 < count <= SEATINGS else 0


def _seating(match_id: int, number: int, played: dict[str, Json]) -> dict[str, Json]:
    names = [seat["name"] for seat in played["seats"]]
    word = _(GAMES[played["game"]].facts[0].label)
    return {"match": match_id, "seating": number, "names": names, "word": word, **deals_of(played)._asdict()}


def rows(session: Session, ids: Sequence[int]) -> tuple[MatchRow, ...]:
    """Return the rows of these matches, in the order of `ids`."""
    found: Iterable[Any] = session.execute(_SEATS.where(MatchSeat.match_id.in_(ids)))
    seats = {id: tuple(SeatRow(*row[1:]) for row in group) for id, group in groupby(found, key=lambda row: row[0])}
    by_id = {row[0]: _row(*row, seats[row[0]]) for row in session.execute(_ROWS.where(Match.id.in_(ids)))}
    return tuple(map(by_id.__getitem__, ids))


def latest(session: Session, count: int) -> tuple[MatchRow, ...]:
    """Return the latest matches, newest first."""
    rated = select(Tournament.rated).join(Table, Table.tournament_id == Tournament.id)
    counts = rated.where(Table.id == Match.table_id).scalar_subquery()
    ids = select(Match.id).where(Match.superseded.is_(False), counts.is_(True)).order_by(Match.id.desc()).limit(count)
    return rows(session, session.scalars(ids).all())


def latest_of(session: Session, version_ids: Sequence[int], count: int) -> tuple[MatchRow, ...]:
    """Return the latest matches of any of these versions, newest first."""
    # One query per version: an index lists the matches of each in order, but not of several together.
    found = {match_id for version_id in version_ids for match_id in latest_of_one(session, version_id, count)}
    return rows(session, sorted(found, reverse=True)[:count])


def latest_of_one(session: Session, version_id: int, count: int, before: int = NEWEST) -> Sequence[int]:
    """Return the IDs of the latest matches of a version before a match, newest first."""
    # Not a join: for a bot that has not played lately, PostgreSQL would scan backwards through all later matches.
    rated = select(Match.superseded.is_(False) & Tournament.rated).join(Match.table).join(Table.tournament)
    counts = rated.where(Match.id == MatchSeat.match_id).scalar_subquery()
    return session.scalars(
        select(MatchSeat.match_id)
        .where(MatchSeat.version_id == version_id, MatchSeat.match_id < before, counts.is_(True))
        .distinct()
        .order_by(MatchSeat.match_id.desc())
        .limit(count)
    ).all()


def _sets(session: Session, match: Match, tournament_id: int) -> tuple[tuple[int, ...], ...]:
    """Return the IDs of the matches in the same attempt at the table, by set of boards."""
    played = (Match.table_id == match.table_id, Match.fence == match.fence)
    ids = session.scalars(select(Match.id).where(*played).order_by(Match.seating)).all()
    boards = session.scalars(select(Tournament.boards).where(Tournament.id == tournament_id)).one()
    seatings = len(ids) // boards
    return tuple(tuple(ids[first : first + seatings]) for first in range(0, len(ids), seatings))


def solitaire_result(session: Session, row: MatchRow) -> Solitaire | None:
    """Return the result of a solitaire match; None for any other match."""
    if len(row.seats) > 1:
        return None
    played = record.unpack(session.scalars(select(Match.record).where(Match.id == row.id)).one())
    return Solitaire(played["result"], tuple(played["dummy_scores"]))


def _record(arena: Arena, match_id: int) -> dict[str, Json]:
    with arena.reading() as session:
        packed = session.scalar(select(Match.record).where(Match.id == match_id))
    if packed is None:
        raise NotFound(_("There is no match %(id)s.", id=match_id))
    return record.unpack(packed)


def _row(
    id: int, tournament_id: int, tournament: str, table_id: int, number: int, seating: int, variant: str,
    finished: float, seats: tuple[SeatRow, ...],
) -> MatchRow:  # fmt: skip
    return MatchRow(id, tournament_id, tournament, table_id, number, seating, variant, moment(finished), seats)


def _seat(seat: MatchSeat) -> SeatRow:
    version = seat.version
    return SeatRow(
        seat.seat, version.bot_id, version.bot.name, version.id, version.number, seat.score, seat.rank, seat.fault,
        seat.move,
    )  # fmt: skip


def _detail(seat: MatchSeat, viewer: Account | None, match: Match) -> SeatDetail:
    bot = seat.version.bot
    mine = may_see(bot.team, viewer)
    seen = SeatDetail(_seat(seat), bot.owner.name, mine, seat.cpu, seat.wall, seat.memory)
    if not mine:
        return seen
    return replace(
        seen, detail=seat.detail, traceback=seat.traceback, output=seat.output, view=seat.view,
        printed=_printed(seat, match),
    )  # fmt: skip


def _printed(seat: MatchSeat, match: Match) -> tuple[tuple[int, str], ...]:
    """Return what a bot printed at each of its moves, as far as it is recorded."""
    if not seat.output:
        return ()
    own, course = answers.own_moves(record.unpack(match.record), seat.seat), answers.unpack(seat.answers)
    pieces, rest = answers.texts(seat.output, course, own)
    if rest and seat.move is not None and (course or seat.move == own[0]):
        pieces[seat.move] = rest  # the bot failed before it answered
    return tuple(pieces.items())
