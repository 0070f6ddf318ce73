"""The leaderboard of a variant: searched, sorted, in pages, and compared with the places of a week ago."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from msgspec import structs
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Version
from arena.services.base.context import Arena
from arena.services.base.lists import SHOWN, cut, ordered
from arena.services.base.names import key
from arena.services.base.times import moment
from arena.services.ratings import places
from arena.services.ratings.pages import leaders
from arena.services.ratings.views import Board, LeaderRow

SORTS: Final[Mapping[str, Callable[[LeaderRow], Any]]] = MappingProxyType(
    {
        "place": lambda row: row.rank,
        "change": lambda row: -(row.risen or 0),
        "name": lambda row: key(row.bot),
        "author": lambda row: key(row.owner),
        "mu": lambda row: -row.mu,
        "sigma": lambda row: row.sigma,
        "points": lambda row: (row.strength is None, -row.strength.value if row.strength else 0.0),
        "tables": lambda row: -row.tables,
        "uploaded": lambda row: -row.version_id,
    }
)
"""Sort keys of a leaderboard by name: the best, first, surest or latest bot comes first."""


def board(
    arena: Arena, variant: str, page: int | None = 1, *, search: str = "", sort: str = "", size: int = SHOWN
) -> Board:
    """Return one page of a variant's leaderboard, or all of it if `page` is None.

    `search` is a part of the name of a bot or its author; `sort` is one of `SORTS`, after a hyphen for the reverse
    order. Anything else is the order of places.
    """
    with arena.reading() as session:
        rows = leaders(session, variant)
        past = places.earliest(session, variant)
        if past:
            rows = [structs.replace(row, risen=_risen(past.places.get(row.bot_id), row.rank)) for row in rows]
        part = key(search.strip())
        found = [row for row in rows if part in key(row.bot) or part in key(row.owner)] if part else rows
        listed = cut(ordered(found, sort, SORTS), page, size)
        shown = replace(listed, rows=_with_uploads(session, listed.rows))
        return Board(shown, len(rows), past and past.noted)


def _with_uploads(session: Session, rows: Sequence[LeaderRow]) -> tuple[LeaderRow, ...]:
    # Not for all bots: SQLite would read the source of each version to get at the column behind it.
    times = select(Version.id, Version.created).where(Version.id.in_([row.version_id for row in rows]))
    uploaded = {version_id: moment(created) for version_id, created in session.execute(times)}
    return tuple(structs.replace(row, uploaded=uploaded[row.version_id]) for row in rows)


def _risen(before: int | None, now: int) -> int | None:
    return None if before is None else before - now
