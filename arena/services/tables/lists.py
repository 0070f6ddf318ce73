"""Lists of matches that programs read to the end: those of a bot, of a tournament, or all, the latest first."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from arena.db.hints import unindexed
from arena.db.models import Bot, Match, Table, Tournament, Version
from arena.games.errors import NotFound
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.tables import matches
from arena.services.tables.matches import NEWEST
from arena.services.tables.views import MatchRow
from arena.words import _

WINDOW: Final = 1000
"""Maximum number of matches among which those of a variant are searched at a time."""


class Position(NamedTuple):
    """A match in the order of a list."""

    table: int
    """Number of its table, in the list of a tournament; 0 in others."""
    match: int
    """ID."""


LATEST: Final = Position(NEWEST, NEWEST)
"""Before the first match of a list."""


class Part(NamedTuple):
    """A part of a list."""

    rows: tuple[MatchRow, ...]
    next: Position | None
    """Last match that was considered; None if the list ends here."""


def of_all(arena: Arena, before: Position, limit: int, variant: str = "") -> Part:
    """Return matches after a position, of one variant or all.

    Only `WINDOW` matches are considered, so that the time does not depend on how rare a variant is. Hence a part may
    have fewer matches than `limit` although more follow.
    """
    latest = select(Match.id).where(Match.id < before.match).order_by(Match.id.desc())
    with arena.reading() as session:
        found = session.scalars(latest.limit(WINDOW if variant else limit)).all()
        return _part(session, found, limit, variant, more=len(found) >= (WINDOW if variant else limit))


def of_bot(arena: Arena, bot_id: int, before: Position, limit: int, variant: str = "") -> Part:
    """Return matches of a bot after a position, of one variant or all. Raises `NotFound`."""
    count = WINDOW if variant else limit
    with arena.reading() as session:
        if session.get(Bot, bot_id) is None:
            raise NotFound(_("There is no bot %(id)s.", id=bot_id))
        # One query per version: an index lists the matches of each in order, but not of several together.
        versions = session.scalars(select(Version.id).where(Version.bot_id == bot_id))
        found = {one for id in versions for one in matches.latest_of_one(session, id, count, before.match)}
        return _part(session, sorted(found, reverse=True)[:count], limit, variant, more=len(found) >= count)


def of_tournament(arena: Arena, tournament_id: int, before: Position, limit: int) -> Part:
    """Return matches of a tournament after a position, in the order of its tables. Raises `NotFound`."""
    with arena.reading() as session:
        if session.get(Tournament, tournament_id) is None:
            raise NotFound(_("There is no tournament %(id)s.", id=tournament_id))
        found = session.execute(_at_tables(tournament_id, before).limit(limit)).all()
        rows = matches.rows(session, [row.id for row in found])
    return Part(rows, Position(found[-1].number, found[-1].id) if len(found) == limit else None)


def _at_tables(tournament_id: int, before: Position) -> Select[int, int]:
    later = (Table.number < before.table) | ((Table.number == before.table) & (Match.id < before.match))
    here = (Table.tournament_id == tournament_id, Table.state == TableState.DONE, Table.number <= before.table)
    counted = select(Table.number, Match.id).join(Match.table).where(*here, later, Match.superseded.is_(False))
    return counted.order_by(Table.number.desc(), Match.id.desc())


def _part(session: Session, found: Sequence[int], limit: int, variant: str, more: bool) -> Part:
    """Return the first of the matches found that count; `more` is whether others follow these."""
    counted = (
        select(Match.id)
        .join(Match.table)
        .join(Table.tournament)
        .where(Match.id.in_(found), Match.superseded.is_(False), Tournament.rated)
        .where(*([unindexed(Tournament.variant) == variant] if variant else []))
        .order_by(Match.id.desc())
        .limit(limit)
    )
    ids = session.scalars(counted).all()
    last = ids[-1] if len(ids) == limit else found[-1] if more else None
    return Part(matches.rows(session, ids), None if last is None else Position(0, last))
