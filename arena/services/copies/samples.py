"""Decisions of bots with equal views, read from the records of the latest tables."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final

from sqlalchemy import select

from arena.db.models import Table, Tournament
from arena.likeness.decisions import View
from arena.match.record import unpack
from arena.match.views import shared_views
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.tables.records import Played, played

TABLES: Final = 10_000
"""Largest number of tables whose records are read, shared among the variants."""
CROWD: Final = 200
"""Number of bots above which a view is left out: it is the opening of a game without deals."""


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
    for matches in played(arena, tables):
        _add(found, matches)
    return [view for view in found.values() if 1 < len(view.choices) <= CROWD]


def _add(found: dict[bytes, View], matches: Sequence[Played]) -> None:
    """Add the views that these matches share, by their hash."""
    for shared in shared_views([unpack(match.record) for match in matches]):
        known = View(shared.phase, shared.legal, {})
        choices = found.setdefault(blake2b(shared.view, digest_size=16).digest(), known).choices
        for match, seat, choice in shared.choices:
            choices.setdefault(matches[match].seats[seat], choice)
