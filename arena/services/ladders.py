"""Ladders: a continuous league per variant. How one goes on is in `arena.services.laddering`."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session, joinedload

from arena.db.locks import LADDER as LOCK
from arena.db.locks import hold
from arena.db.models import Bot, Entry, Table, Tournament, Version
from arena.games.errors import Refused
from arena.games.registry import VARIANTS, variant
from arena.services import stages, tallies
from arena.services.context import Arena
from arena.services.plans import ALL, LADDER, Plan, rules_of
from arena.services.ratings import leaders
from arena.services.shapes import PAUSED, QUEUED, RUNNING, Account, LeaderRow, TableRow, TournamentRow
from arena.services.table_rows import table_rows
from arena.services.tournament_pages import latest_tables, rows
from arena.services.tournaments import check_admin

PRIORITY: Final = -1
"""A ladder never ends, so whatever does comes before it."""
DUE: Final = 8
"""So many of the tables that wait are listed."""


@dataclass(frozen=True)
class OwnerShare:
    """How much of a ladder an owner has had."""

    owner: str
    bots: int
    """How many of its bots take part now."""
    tables: int
    """How many seats its bots have had at tables that are done."""
    share: float
    """Of all seats, 0 to 1."""


@dataclass(frozen=True)
class LadderPage:
    """A variant's ladder."""

    variant: str
    row: TournamentRow | None
    """The ladder that runs or is paused; None where there is none."""
    former: tuple[TournamentRow, ...]
    """Those that were cancelled, latest first."""
    standings: tuple[LeaderRow, ...]
    owners: tuple[OwnerShare, ...]
    tables: tuple[TableRow, ...]
    """Those being played first, then the latest finished."""
    due: tuple[TableRow, ...]
    """The next of those that wait, by number."""
    waiting: int
    """How many wait."""
    problem: str | None
    """Why there can be none, or nothing is played now."""


def start(arena: Arena, account: Account, variant_id: str) -> int:
    """Start the ladder of a variant; its id. Raises Refused and OptionError."""
    check_admin(account)
    with arena.transaction() as session:
        return begin(session, variant_id, account.id)


def begin(session: Session, variant_id: str, created_by: int) -> int:
    """The same in a transaction, for the arena itself."""
    rules = rules_of(variant_id)
    if len(rules.teams) == 1:
        raise Refused(
            "Alone at the cards all bots are compared at one table, so there is nothing to choose for a ladder. "
            "Schedule round robins instead."
        )
    hold(session, LOCK, list(VARIANTS).index(variant_id))
    if _running(session, variant_id):
        raise Refused(f"There is a ladder of {variant(variant_id).title} already.")
    plan = Plan(
        name=f"Ladder: {variant(variant_id).title}", variant=variant_id, format=LADDER, shape={}, entry_rule=ALL
    )
    return stages.start(session, plan, [], created_by, priority=PRIORITY)


def ladder_page(arena: Arena, variant_id: str) -> LadderPage:
    """A variant's ladder. Raises OptionError."""
    rules_of(variant_id)
    here = (Tournament.variant == variant_id, Tournament.format == LADDER)
    with arena.reading() as session:
        tournament = _running(session, variant_id)
        found = rows(session, 20, *here)
        return LadderPage(
            variant=variant_id,
            row=next((row for row in found if tournament and row.id == tournament.id), None),
            former=tuple(row for row in found if tournament is None or row.id != tournament.id),
            standings=tuple(leaders(session, variant_id)),
            owners=_owners(session, tournament) if tournament else (),
            tables=latest_tables(session, tournament.id) if tournament else (),
            due=_due(session, tournament) if tournament else (),
            waiting=_waiting(session, tournament) if tournament else 0,
            problem=_problem(session, variant_id, tournament),
        )


def _running(session: Session, variant_id: str) -> Tournament | None:
    return session.scalar(
        select(Tournament)
        .where(Tournament.variant == variant_id, Tournament.format == LADDER, Tournament.state.in_((RUNNING, PAUSED)))
        .order_by(Tournament.id.desc())
        .limit(1)
    )


def _problem(session: Session, variant_id: str, tournament: Tournament | None) -> str | None:
    places = len(rules_of(variant_id).teams)
    if places == 1:
        return "This variant is played alone: all bots are compared at one table, so it has no ladder."
    if tournament is None:
        return None
    count = select(func.count()).where(Entry.tournament_id == tournament.id, Entry.out.is_(None))
    bots = session.scalars(count).one()
    return None if bots >= places else f"A table has {places} places, and {bots} bots take part: it waits for more."


def _due(session: Session, tournament: Tournament) -> tuple[TableRow, ...]:
    waits = select(Table.id).where(Table.tournament_id == tournament.id, Table.state == QUEUED)
    return table_rows(session, session.scalars(waits.order_by(Table.number).limit(DUE)).all())


def _waiting(session: Session, tournament: Tournament) -> int:
    return session.scalars(
        select(func.count()).where(Table.tournament_id == tournament.id, Table.state == QUEUED)
    ).one()


def _owners(session: Session, tournament: Tournament) -> tuple[OwnerShare, ...]:
    entries = session.scalars(
        select(Entry)
        .where(Entry.tournament_id == tournament.id)
        .options(joinedload(Entry.version).joinedload(Version.bot).joinedload(Bot.owner))
    ).all()
    taken = tallies.scores(session, tournament.id)
    tables, bots = Counter[str](), Counter[str]()
    for entry in entries:
        owner = entry.version.bot.owner.name
        tables[owner] += taken[entry.version_id].sums.tables if entry.version_id in taken else 0
        bots[owner] += entry.out is None
    seats = tables.total() or 1
    shares = [OwnerShare(owner, bots[owner], count, count / seats) for owner, count in tables.items()]
    return tuple(sorted(shares, key=lambda one: (-one.tables, one.owner)))
