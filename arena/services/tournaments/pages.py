"""Data of the tournament pages: the list, one tournament, and its tables."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from sqlalchemy import ColumnElement, ColumnExpressionArgument, func, select
from sqlalchemy.orm import Session, joinedload

from arena.db.models import Entry, Rejudgement, Table, TableSeat, Tournament, Version
from arena.services.base.context import Arena
from arena.services.base.lists import Listed, listed
from arena.services.base.states import OVER, REPLAYABLE, TableState, TournamentState
from arena.services.base.texts import storable
from arena.services.base.views import view_of
from arena.services.formats.registry import FORMATS
from arena.services.formats.views import StandingRow
from arena.services.tables import matches
from arena.services.tables.rows import in_state, table_rows
from arena.services.tables.views import MatchRow, TableRow, TablesPage
from arena.services.tournaments.ends import expected_end, forecast, planned
from arena.services.tournaments.rounds import stage_rows
from arena.services.tournaments.standings import standings
from arena.services.tournaments.starts import find
from arena.services.tournaments.views import RejudgementRow, TournamentPage, TournamentRow

SHOWN_TABLES, SHOWN_MATCHES, SHOWN_TOURNAMENTS = 50, 20, 200
"""Largest numbers of rows on a page."""
_SHOWN_REJUDGEMENTS: Final = 50

ACTIONS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        TournamentState.DRAFT: frozenset({"edit", "start", "delete"}),
        TournamentState.SCHEDULED: frozenset({"edit", "start", "delete", "cancel"}),
        TournamentState.RUNNING: frozenset({"pause", "cancel", "rejudge", "withdraw"}),
        TournamentState.PAUSED: frozenset({"resume", "cancel", "rejudge", "withdraw"}),
        TournamentState.FINISHED: frozenset({"rejudge"}),
    }
)
"""Available actions by state."""


CUPS, PLACEMENTS, LADDERS, COMPARISONS = "cups", "placements", "ladders", "comparisons"
_KINDS: Final[Mapping[str, tuple[ColumnElement[bool], ...]]] = MappingProxyType(
    {
        CUPS: (Tournament.priority <= 0, Tournament.format.not_in(("ladder", "comparison", "trial"))),
        PLACEMENTS: (Tournament.priority > 0, Tournament.format.not_in(("comparison", "trial"))),
        LADDERS: (Tournament.format == "ladder",),
        COMPARISONS: (Tournament.format == "comparison",),
    }
)


def listed_of(arena: Arena, kind: str, page: int = 1, *, search: str = "") -> Listed[TournamentRow]:
    """Return one page of the tournaments of a kind, the latest first; `search` is a part of their names."""
    named = Tournament.name.icontains(storable(search.strip()), autoescape=True)
    query = select(Tournament.id).where(*_KINDS[kind], named).order_by(Tournament.id.desc())
    with arena.reading() as session:
        found = listed(session, query, page, int)
        shown = tuple(rows(session, len(found.rows), Tournament.id.in_(found.rows)))
        return Listed(shown, found.page, found.pages, found.total)


def listed_before(
    arena: Arena, before: int, limit: int, *, kind: str = "", search: str = "", state: str = "", variant: str = ""
) -> list[TournamentRow]:
    """Return up to `limit` rated tournaments with an ID below `before`, the latest first.

    Optional filters: a kind, a part of the name, a state and a variant.
    """
    wanted = {Tournament.state: state, Tournament.variant: variant}
    which = [*_KINDS.get(kind, ()), *(column == value for column, value in wanted.items() if value)]
    if part := storable(search.strip()):
        which.append(Tournament.name.icontains(part, autoescape=True))
    with arena.reading() as session:
        return rows(session, limit, Tournament.rated, Tournament.id < before, *which)


def latest(arena: Arena, limit: int = SHOWN_TOURNAMENTS) -> list[TournamentRow]:
    """Return the latest tournaments, the latest first."""
    with arena.reading() as session:
        return rows(session, limit, Tournament.rated)


def row(arena: Arena, tournament_id: int) -> TournamentRow:
    """Return a tournament's row in lists. Raises `NotFound`."""
    with arena.reading() as session:
        find(session, tournament_id)
        return rows(session, 1, Tournament.id == tournament_id)[0]


def placed(arena: Arena, tournament_id: int) -> tuple[StandingRow, ...]:
    """Return the standings of a tournament, the best first. Raises `NotFound`."""
    with arena.reading() as session:
        return standings(session, find(session, tournament_id))


def page(arena: Arena, tournament_id: int) -> TournamentPage:
    """Return the page of a tournament. Raises `NotFound`."""
    with arena.reading() as session:
        tournament = find(session, tournament_id)
        placed = standings(session, tournament)
        latest = latest_tables(session, tournament_id)
        [row] = rows(session, 1, Tournament.id == tournament_id)
        return view_of(
            TournamentPage,
            tournament,
            row=row,
            rounds=tournament.shape.get("rounds", 1),
            tables_running=_running(session, tournament_id),
            seed=(tournament.seed.hex() or None) if tournament.state in OVER else None,
            standings=placed,
            tables=latest,
            matches=_latest_matches(session, latest),
            stages=stage_rows(session, tournament, placed),
            rejudgements=_rejudgements(session, tournament_id),
            actions=available(tournament),
            end=expected_end(session, tournament, row.entries),
            forecast=forecast(session, tournament, row.entries),
        )


def available(tournament: Tournament) -> frozenset[str]:
    """Return the actions open to organisers."""
    actions = ACTIONS.get(tournament.state, frozenset())
    if not FORMATS[tournament.format].withdrawable:
        actions -= {"withdraw"}
    if tournament.tables_failed and tournament.state in REPLAYABLE:
        actions |= {"retry"}
    return actions


def tables(
    arena: Arena, tournament_id: int, page: int = 1, *,
    version_id: int | None = None, state: str | None = None, stage: int | None = None, number: int | None = None,
) -> TablesPage:  # fmt: skip
    """Return one page of a tournament's tables, ordered by number. Raises `NotFound`.

    Optional filters: a version, a state, a stage and a table number (both 0-based). Page numbers out of range give the
    first or last page.
    """
    which = _which(version_id, state, stage, number)
    with arena.reading() as session:
        tournament = find(session, tournament_id)
        here = (Table.tournament_id == tournament_id, *which)
        counted = select(func.count()).select_from(Table).where(*here)
        total = session.scalars(counted).one() if which else tournament.tables_total
        pages = max(1, -(-total // SHOWN_TABLES))
        shown = min(max(page, 1), pages)
        ids = select(Table.id).where(*here).order_by(Table.number).limit(SHOWN_TABLES)
        first = (shown - 1) * SHOWN_TABLES
        # Table numbers have no gaps, so an unfiltered page needs no offset, which would scan all rows before it.
        chosen = session.scalars(ids.offset(first) if which else ids.where(Table.number >= first)).all()
        return TablesPage(table_rows(session, chosen), shown, pages, total)


def tables_after(
    arena: Arena, tournament_id: int, after: int, limit: int, *,
    version_id: int | None = None, state: str | None = None, stage: int | None = None, number: int | None = None,
) -> tuple[TableRow, ...]:  # fmt: skip
    """Return up to `limit` of a tournament's tables with a number above `after`, in order. Raises `NotFound`."""
    which = (Table.tournament_id == tournament_id, Table.number > after, *_which(version_id, state, stage, number))
    with arena.reading() as session:
        find(session, tournament_id)
        found = session.scalars(select(Table.id).where(*which).order_by(Table.number).limit(limit)).all()
        return table_rows(session, found)


def _which(
    version_id: int | None, state: str | None, stage: int | None, number: int | None
) -> list[ColumnElement[bool]]:
    which: list[ColumnElement[bool]] = []
    if version_id is not None:
        which.append(Table.id.in_(select(TableSeat.table_id).where(TableSeat.version_id == version_id)))
    if state is not None:
        which.append(in_state(state))
    if stage is not None:
        which.append(Table.stage == stage)
    if number is not None:
        which.append(Table.number == number)
    return which


def rows(session: Session, limit: int, *which: ColumnExpressionArgument[bool]) -> list[TournamentRow]:
    """Return rows of the tournaments that meet these conditions, the latest first."""
    entries = select(func.count()).where(Entry.tournament_id == Tournament.id).scalar_subquery()
    found = session.execute(
        select(Tournament, entries)
        .where(*which)
        .order_by(Tournament.id.desc())
        .limit(limit)
        .options(joinedload(Tournament.created_by))
    )
    return [_row(tournament, count) for tournament, count in found]


def _row(tournament: Tournament, entries: int) -> TournamentRow:
    return view_of(
        TournamentRow,
        tournament,
        created_by=tournament.created_by.name,
        entries=entries,
        tables_planned=planned(tournament, entries),
        resting=tournament.state == TournamentState.RUNNING and tournament.rest is not None and tournament.settled,
    )


def _running(session: Session, tournament_id: int) -> int:
    here = (Table.tournament_id == tournament_id, in_state(TableState.RUNNING))
    return session.scalars(select(func.count()).select_from(Table).where(*here)).one()


def latest_tables(session: Session, tournament_id: int) -> tuple[TableRow, ...]:
    """Return running tables, then finished ones, the latest first.

    Only the finished tables with the highest numbers are considered, because an index has them in order.
    """
    found = [
        table
        for state in (TableState.RUNNING, TableState.DONE, TableState.INFRA_FAILED)
        for table in session.execute(
            select(Table.id, Table.finished)
            .where(Table.tournament_id == tournament_id, in_state(state))
            .order_by(Table.number.desc())
            .limit(SHOWN_TABLES)
        )
    ]
    found.sort(key=lambda table: (table.finished is None, table.finished, table.id), reverse=True)
    return table_rows(session, [table.id for table in found[:SHOWN_TABLES]])


def _latest_matches(session: Session, tables: Sequence[TableRow]) -> tuple[MatchRow, ...]:
    ids = sorted((match for table in tables for match in table.matches), reverse=True)
    return matches.rows(session, ids[:SHOWN_MATCHES])


def _rejudgements(session: Session, tournament_id: int) -> tuple[RejudgementRow, ...]:
    found = session.execute(
        select(Rejudgement, Version)
        .outerjoin(Version, Version.id == Rejudgement.version_id)
        .where(Rejudgement.tournament_id == tournament_id)
        .order_by(Rejudgement.id.desc())
        .limit(_SHOWN_REJUDGEMENTS)
        .options(joinedload(Rejudgement.created_by), joinedload(Version.bot))
    )
    return tuple(
        view_of(
            RejudgementRow,
            order,
            by=order.created_by.name,
            bot=version.bot.name if version else None,
            version=version.number if version else None,
        )
        for order, version in found
    )
