"""Data of the ladder pages."""

from collections import Counter
from collections.abc import Sequence
from math import ceil
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import Bot, Entry, Table, Tournament, User, Version
from arena.games.registry import rules_of
from arena.ratings import tables_missing
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.formats.ladder import Ladder, field
from arena.services.formats.presence import offers
from arena.services.ladders.actions import running
from arena.services.ladders.views import LadderPage, OutlookRow, OwnerShare, PresentRow
from arena.services.ratings import tallies
from arena.services.ratings.pages import leaders
from arena.services.ratings.views import LeaderRow
from arena.services.tables.rows import in_state, table_rows
from arena.services.tables.views import TableRow
from arena.services.tournaments.pages import available, latest_tables, rows
from arena.words import _

LISTED: Final = 8
"""Number of waiting tables listed."""
LEAST: Final = 12
"""Number of uncertain ratings listed."""
LATELY: Final = 900.0
"""Seconds over which the pace of a ladder is measured."""
MEASURED: Final = 32
"""Largest number of tables from which the pace is measured."""
FEWEST: Final = 4
"""Number of tables below which no pace is shown."""


def ladder_page(arena: Arena, variant_id: str) -> LadderPage:
    """Return the page of a variant's ladder. Raises `OptionError`."""
    rules_of(variant_id)
    here = (Tournament.variant == variant_id, Tournament.format == Ladder.id)
    with arena.reading() as session:
        tournament = running(session, variant_id)
        found = rows(session, 20, *here)
        standings = leaders(session, variant_id)
        return LadderPage(
            variant=variant_id,
            row=next((row for row in found if tournament and row.id == tournament.id), None),
            former=tuple(row for row in found if tournament is None or row.id != tournament.id),
            standings=tuple(standings),
            owners=_owners(session, tournament) if tournament else (),
            tables=latest_tables(session, tournament.id) if tournament else (),
            due=_due(session, tournament) if tournament else (),
            waiting=_waiting(session, tournament) if tournament else 0,
            ready=_ready(session, variant_id),
            outlook=_outlook(session, tournament, standings, arena.settings.ladder_sigma) if tournament else None,
            problem=_problem(session, variant_id, tournament),
            actions=available(tournament) if tournament else frozenset(),
        )


def _problem(session: Session, variant_id: str, tournament: Tournament | None) -> str | None:
    places = len(rules_of(variant_id).teams)
    if places == 1:
        return _("Solitaire variants have no ladder: they seat all bots at one table.")
    if tournament is None:
        return None
    count = select(func.count()).where(Entry.tournament_id == tournament.id, Entry.out.is_(None))
    bots = session.scalars(count).one()
    return (
        None
        if bots >= places
        else _("The ladder needs at least %(places)s bots; %(bots)s take part.", places=places, bots=bots)
    )


def _ready(session: Session, variant_id: str) -> tuple[PresentRow, ...]:
    """Return the bots outside the arena that are ready to play, by name."""
    offered = offers(session, variant_id)
    named = select(Bot.id, Bot.name).where(Bot.id.in_(offered)).order_by(Bot.name_key)
    return tuple(PresentRow(row.id, row.name, offered[row.id]) for row in session.execute(named))


def _outlook(
    session: Session, tournament: Tournament, standings: Sequence[LeaderRow], target: float
) -> OutlookRow | None:
    if not target or tournament.outside:
        return None
    bots = field(session, tournament).values()
    uncertain = [one.missing for one in bots if one.missing]
    tables = ceil(sum(uncertain) / len(rules_of(tournament.variant).teams))
    pace = _pace(session, tournament.id)
    imprecise = (row for row in standings if tables_missing(row.sigma, row.tables, target))
    least = sorted(imprecise, key=lambda row: -row.sigma)[:LEAST]
    return OutlookRow(target, len(bots), len(uncertain), tables, tables / pace if pace else None, tuple(least))


def _pace(session: Session, tournament_id: int) -> float:
    """Return the number of tables that the ladder finished per second lately; 0 if they were too few to say."""
    latest = (
        select(Table.finished)
        .where(Table.tournament_id == tournament_id, Table.state == TableState.DONE)
        .order_by(Table.number.desc())
        .limit(MEASURED)
        .subquery()
    )
    time = select(now()).scalar_subquery()
    query = select(func.count(), time - func.min(latest.c.finished)).where(latest.c.finished > time - LATELY)
    tables, seconds = session.execute(query).one()
    return tables / seconds if tables >= FEWEST else 0.0


def _due(session: Session, tournament: Tournament) -> tuple[TableRow, ...]:
    waits = select(Table.id).where(Table.tournament_id == tournament.id, in_state(TableState.QUEUED))
    return table_rows(session, session.scalars(waits.order_by(Table.number).limit(LISTED)).all())


def _waiting(session: Session, tournament: Tournament) -> int:
    here = (Table.tournament_id == tournament.id, in_state(TableState.QUEUED))
    return session.scalars(select(func.count()).select_from(Table).where(*here)).one()


def _owners(session: Session, tournament: Tournament) -> tuple[OwnerShare, ...]:
    # Columns, not objects: thousands of entries would take most of a second.
    entered = select(User.name, Entry.version_id, Entry.out).join(Entry.version).join(Version.bot).join(Bot.owner)
    entries = session.execute(entered.where(Entry.tournament_id == tournament.id))
    taken = tallies.scores(session, tournament.id)
    tables, bots = Counter[str](), Counter[str]()
    for owner, version, out in entries:
        tables[owner] += taken[version].sums.tables if version in taken else 0
        bots[owner] += out is None
    seats = tables.total() or 1
    shares = [OwnerShare(owner, bots[owner], count, count / seats) for owner, count in tables.items()]
    return tuple(sorted(shares, key=lambda one: (-one.tables, one.owner)))
