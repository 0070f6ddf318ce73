"""Decisions of bots with equal views, read from the records of the latest tables."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from sqlalchemy import select

from arena.db.models import Match, MatchSeat, Table, Tournament
from arena.likeness.decisions import View
from arena.match.record import unpack
from arena.match.views import shared_views
from arena.services.base.context import Arena
from arena.services.base.states import TableState

TABLES: Final = 10_000
"""Largest number of tables whose records are read, shared among the variants."""
CHUNK: Final = 50
"""Number of tables read in one transaction."""

CROWD: Final = 200
"""Number of bots above which a view is left out: it is the opening of a game without deals."""


class _Played(NamedTuple):
    record: bytes
    seats: dict[int, int]
    """Version by seat."""


def latest_tables(arena: Arena) -> Mapping[str, list[int]]:
    """Return the latest finished tables of each variant that has any, the latest first."""
    done = select(Table.id).join(Table.tournament).where(Table.state == TableState.DONE, Tournament.rated)
    with arena.reading() as session:
        variants = session.scalars(select(Tournament.variant).where(Tournament.rated).distinct()).all()
        found = {
            variant: list(
                session.scalars(
                    done.where(Tournament.variant == variant).order_by(Table.id.desc()).limit(TABLES // len(variants))
                )
            )
            for variant in sorted(variants)
        }
    return {variant: tables for variant, tables in found.items() if tables}


def views(arena: Arena, tables: Sequence[int]) -> list[View]:
    """Return the views at these tables that several versions had, each once.

    Equal views of several tables are one: a bot that decides the same again gives no further evidence.
    """
    found: dict[bytes, View] = {}
    for at in range(0, len(tables), CHUNK):
        for matches in _matches(arena, tables[at : at + CHUNK]):
            _add(found, matches)
    return [view for view in found.values() if 1 < len(view.choices) <= CROWD]


def _matches(arena: Arena, tables: Sequence[int]) -> list[list[_Played]]:
    """Return the matches of each table that count."""
    query = (
        select(Match.table_id, Match.id, Match.record, MatchSeat.seat, MatchSeat.version_id)
        .join(MatchSeat, MatchSeat.match_id == Match.id)
        .where(Match.table_id.in_(tables), ~Match.superseded)
        .order_by(Match.id)
    )
    found: dict[int, dict[int, _Played]] = {table: {} for table in tables}
    with arena.reading() as session:
        for table, match, record, seat, version in session.execute(query):
            found[table].setdefault(match, _Played(record, {})).seats[seat] = version
    return [list(matches.values()) for matches in found.values()]


def _add(found: dict[bytes, View], matches: Sequence[_Played]) -> None:
    """Add the views that these matches share, by their hash."""
    for shared in shared_views([unpack(match.record) for match in matches]):
        known = View(shared.phase, shared.legal, {})
        choices = found.setdefault(blake2b(shared.view, digest_size=16).digest(), known).choices
        for match, seat, choice in shared.choices:
            choices.setdefault(matches[match].seats[seat], choice)
