"""Data of the comparison pages."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import not_, select
from sqlalchemy.orm import Session, joinedload

from arena.db.models import Bot, Entry, Table, Tournament, User, Version
from arena.games.errors import NotFound
from arena.games.registry import rules_of
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.repertoire import plays
from arena.services.base.states import TableState, VersionState
from arena.services.comparisons.views import Compared, ComparisonPage
from arena.services.formats.base import kind
from arena.services.formats.comparison import CAUTION, Comparison, as_json, leads, sequential_test
from arena.services.people import teams
from arena.services.tournaments.pages import rows
from arena.services.tournaments.starts import find
from arena.services.tournaments.views import TournamentRow
from arena.tournament.formats.comparison import TableLead
from arena.words import _


def comparison_page(arena: Arena, tournament_id: int) -> ComparisonPage:
    """Return the page of a comparison. Raises `NotFound`."""
    with arena.reading() as session:
        tournament = find(session, tournament_id)
        if tournament.format != Comparison.id:
            raise NotFound(_("Tournament %(id)s is not a comparison.", id=tournament_id))
        return _page(session, tournament)


def comparisons(arena: Arena, limit: int = 50) -> list[TournamentRow]:
    """Return the latest comparisons, the latest first."""
    with arena.reading() as session:
        return rows(session, limit, Tournament.format == Comparison.id)


def candidates(arena: Arena, account: Account, variant: str) -> list[Compared]:
    """Return the versions that can be compared in a variant: those of the account's bots first, then the latest first.

    Raises `OptionError`.
    """
    game = rules_of(variant).id
    with arena.reading() as session:
        # Columns, not objects: an arena has thousands of versions.
        found: Iterable[Any] = session.execute(
            select(Version.games, Bot.id, Bot.name, Version.id, Version.number, User.name)
            .join(Version.bot)
            .join(Bot.owner)
            .where(Version.state == VersionState.VALID, not_(Bot.barred), Bot.archived.is_(None))
            .order_by(Version.id.desc())
        )
        able = [Compared(*row) for games, *row in found if plays(games, game)]
        mine = frozenset(session.scalars(teams.bots_of(account.id)))
        return sorted(able, key=lambda one: one.bot_id not in mine)


def _page(session: Session, tournament: Tournament) -> ComparisonPage:
    shape, test = tournament.shape, sequential_test(tournament.shape)
    played = leads(session, tournament)
    observed = [(lead.ahead, lead.most) for lead in played]
    verdict = tournament.verdict or as_json(test.state(observed))
    entered = _entered(session, tournament.id)
    matches_per_table = kind(tournament.variant, tournament.seatings, len(entered)).count * tournament.boards
    return ComparisonPage(
        row=rows(session, 1, Tournament.id == tournament.id)[0],
        a=entered[0],
        b=entered[1],
        field=tuple(entered[2:]),
        delta=shape["delta"],
        target=test.target,
        wrong=max(test.alpha, test.beta) / CAUTION,
        most=shape["most"],
        matches=verdict["tables"] * matches_per_table,
        interval=tuple(verdict["interval"]) if verdict["interval"] else None,
        walk=tuple(test.walk(observed)) if verdict["upper"] == test.state(()).upper else (),
        leads=_by_table(session, tournament, played),
        **{name: verdict[name] for name in ("decision", "llr", "lower", "upper", "tables", "mean")},
    )


def _entered(session: Session, tournament_id: int) -> list[Compared]:
    found = session.scalars(
        select(Entry)
        .where(Entry.tournament_id == tournament_id)
        .order_by(Entry.number)
        .options(joinedload(Entry.version).joinedload(Version.bot).joinedload(Bot.owner))
    )
    versions = [entry.version for entry in found]
    return [Compared(one.bot.id, one.bot.name, one.id, one.number, one.bot.owner.name) for one in versions]


def _by_table(session: Session, tournament: Tournament, played: Sequence[TableLead]) -> tuple[tuple[int, float], ...]:
    numbers = select(Table.number, Table.id).where(Table.tournament_id == tournament.id, Table.state == TableState.DONE)
    ids = {row.number: row.id for row in session.execute(numbers)}
    return tuple((ids[lead.number], lead.ahead / lead.most) for lead in played)
