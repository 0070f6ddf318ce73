"""Tournaments as people watch them: the list, the page of one, and its tables a page at a time."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session, joinedload

from arena.db.models import Entry, Rejudgement, Table, TableSeat, Tournament, Version
from arena.services import matches
from arena.services.context import Arena
from arena.services.matches import moment
from arena.services.plans import COMPARISON
from arena.services.shapes import (
    DONE,
    DRAFT,
    FINISHED,
    INFRA_FAILED,
    OVER,
    PAUSED,
    RUNNING,
    SCHEDULED,
    MatchRow,
    RejudgementRow,
    TableRow,
    TablesPage,
    TournamentPage,
    TournamentRow,
)
from arena.services.stage_pages import stage_rows
from arena.services.starting import find
from arena.services.table_rows import table_rows
from arena.services.tournament_standings import standings

SHOWN_TABLES, SHOWN_MATCHES, SHOWN_TOURNAMENTS = 50, 20, 200
"""How much a page lists."""
_SHOWN_REJUDGEMENTS: Final = 50

ACTIONS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        DRAFT: frozenset({"edit", "start", "delete"}),
        SCHEDULED: frozenset({"edit", "start", "delete", "cancel"}),
        RUNNING: frozenset({"pause", "cancel", "rejudge", "withdraw"}),
        PAUSED: frozenset({"resume", "cancel", "rejudge", "withdraw"}),
        FINISHED: frozenset({"rejudge"}),
    }
)
"""By state, what can be done to a tournament."""


def latest(arena: Arena, limit: int = SHOWN_TOURNAMENTS) -> list[TournamentRow]:
    """The latest tournaments, latest first."""
    with arena.reading() as session:
        return rows(session, limit)


def row(arena: Arena, tournament_id: int) -> TournamentRow:
    """One tournament as lists have it. Raises NotFound."""
    with arena.reading() as session:
        find(session, tournament_id)
        return rows(session, 1, Tournament.id == tournament_id)[0]


def page(arena: Arena, tournament_id: int) -> TournamentPage:
    """One tournament. Raises NotFound."""
    with arena.reading() as session:
        tournament = find(session, tournament_id)
        placed = standings(session, tournament)
        latest = latest_tables(session, tournament_id)
        actions = ACTIONS.get(tournament.state, frozenset())
        return TournamentPage(
            row=rows(session, 1, Tournament.id == tournament_id)[0],
            rounds=tournament.shape.get("rounds", 1),
            boards=tournament.boards,
            options=tournament.options,
            tables_running=_running(session, tournament_id),
            commitment=tournament.commitment,
            seed=tournament.seed.hex() if tournament.state in OVER else None,
            standings=placed,
            tables=latest,
            matches=_latest_matches(session, latest),
            shape=tournament.shape,
            seatings=tournament.seatings,
            entry_rule=tournament.entry_rule,
            fault_cap=tournament.fault_cap,
            stages=stage_rows(session, tournament, placed),
            rejudgements=_rejudgements(session, tournament_id),
            actions=actions - {"withdraw"} if tournament.format == COMPARISON else actions,
            schedule_id=tournament.schedule_id,
            verdict=tournament.verdict,
        )


def tables(
    arena: Arena, tournament_id: int, page: int = 1, *,
    version_id: int | None = None, state: str | None = None, stage: int | None = None, number: int | None = None,
) -> TablesPage:  # fmt: skip
    """Tables by number, all or those of a version, in a state, of a stage or of a number (both 0-based).

    Raises NotFound.

    The last page stands for those beyond it, the first for those before.
    """
    which: list[ColumnElement[bool]] = []
    if version_id is not None:
        which.append(Table.id.in_(select(TableSeat.table_id).where(TableSeat.version_id == version_id)))
    if state is not None:
        which.append(Table.state == state)
    if stage is not None:
        which.append(Table.stage == stage)
    if number is not None:
        which.append(Table.number == number)
    with arena.reading() as session:
        tournament = find(session, tournament_id)
        here = (Table.tournament_id == tournament_id, *which)
        counted = select(func.count()).select_from(Table).where(*here)
        total = session.scalars(counted).one() if which else tournament.tables_total
        pages = max(1, -(-total // SHOWN_TABLES))
        shown = min(max(page, 1), pages)
        ids = select(Table.id).where(*here).order_by(Table.number).limit(SHOWN_TABLES)
        first = (shown - 1) * SHOWN_TABLES
        # Numbers have no gaps, so of all tables those of a page are known without counting.
        chosen = session.scalars(ids.offset(first) if which else ids.where(Table.number >= first)).all()
        return TablesPage(table_rows(session, chosen), shown, pages, total)


def rows(session: Session, limit: int, *which: ColumnElement[bool]) -> list[TournamentRow]:
    """Rows of tournaments, latest first."""
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
    return TournamentRow(
        id=tournament.id,
        name=tournament.name,
        variant=tournament.variant,
        format=tournament.format,
        state=tournament.state,
        created_by=tournament.created_by.name,
        created=moment(tournament.created),
        finished=None if tournament.finished is None else moment(tournament.finished),
        entries=entries,
        tables_total=tournament.tables_total,
        tables_done=tournament.tables_done,
        tables_failed=tournament.tables_failed,
        tables_insecure=tournament.tables_insecure,
        tables_cancelled=tournament.tables_cancelled,
        starts_at=None if tournament.starts_at is None else moment(tournament.starts_at),
        started=None if tournament.started is None else moment(tournament.started),
        problem=tournament.problem,
    )


def _running(session: Session, tournament_id: int) -> int:
    here = (Table.tournament_id == tournament_id, Table.state == RUNNING)
    return session.scalars(select(func.count()).select_from(Table).where(*here)).one()


def latest_tables(session: Session, tournament_id: int) -> tuple[TableRow, ...]:
    """Those being played, then of those that were the highest numbers, latest first: an index has them in order."""
    found = [
        table
        for state in (RUNNING, DONE, INFRA_FAILED)
        for table in session.execute(
            select(Table.id, Table.finished)
            .where(Table.tournament_id == tournament_id, Table.state == state)
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
        RejudgementRow(
            order.id, order.reason, order.tables, order.created_by.name, moment(order.created), order.table_number,
            version.bot.name if version else None, version.number if version else None,
        )
        for order, version in found
    )  # fmt: skip
