"""Tournaments as people watch them: the list, and the page of one."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session, joinedload, selectinload

from arena.db.models import Attempt, Bot, Entry, Match, Table, TableSeat, Tournament, Version
from arena.services import matches
from arena.services.context import Arena
from arena.services.matches import moment
from arena.services.plans import rules_of
from arena.services.shapes import (
    DONE,
    OVER,
    RUNNING,
    MatchRow,
    PlaceRow,
    StandingRow,
    TableRow,
    TournamentPage,
    TournamentRow,
)
from arena.services.starting import find
from arena.tournament.standings import ranks
from arena.tournament.tables import kind_of

SHOWN_TABLES, SHOWN_MATCHES, SHOWN_TOURNAMENTS = 50, 20, 200
"""How much a page lists."""


def tournaments(arena: Arena, limit: int = SHOWN_TOURNAMENTS) -> list[TournamentRow]:
    """The latest tournaments, latest first."""
    with arena.reading() as session:
        return rows(session, limit)


def tournament_page(arena: Arena, tournament_id: int) -> TournamentPage:
    """One tournament. Raises NotFound."""
    with arena.reading() as session:
        tournament = find(session, tournament_id)
        over = tournament.state in OVER
        return TournamentPage(
            row=rows(session, 1, Tournament.id == tournament_id)[0],
            rounds=tournament.shape.get("rounds", 1),
            boards=tournament.boards,
            options=tournament.options,
            tables_running=_running(session, tournament_id),
            commitment=tournament.commitment,
            seed=tournament.seed.hex() if over else None,
            standings=_standings(session, tournament),
            tables=_tables(session, tournament_id),
            matches=_latest_matches(session, tournament_id),
            shape=tournament.shape,
            seatings=tournament.seatings,
            entry_rule=tournament.entry_rule,
            fault_cap=tournament.fault_cap,
            stages=(),
            rejudgements=(),
            actions=frozenset(),
            schedule_id=tournament.schedule_id,
            verdict=tournament.verdict,
        )


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


def _standings(session: Session, tournament: Tournament) -> tuple[StandingRow, ...]:
    played = (
        select(
            TableSeat.version_id,
            func.sum(TableSeat.half_points).label("half_points"),
            func.count().label("tables"),
            func.sum(TableSeat.faults).label("faults"),
        )
        .join(Table)
        .where(Table.tournament_id == tournament.id, Table.state == DONE)
        .group_by(TableSeat.version_id)
        .subquery()
    )
    found = session.execute(
        select(Version, played.c.half_points, played.c.tables, played.c.faults)
        .join(Entry, Entry.version_id == Version.id)
        .outerjoin(played, played.c.version_id == Version.id)
        .where(Entry.tournament_id == tournament.id)
        .order_by(Entry.number)
        .options(joinedload(Version.bot).joinedload(Bot.owner))
    ).all()
    most = kind_of(rules_of(tournament.variant).teams, len(found)).most_half_points(tournament.boards)
    standings = [
        _standing(version, int(half or 0), tables or 0, int(faults or 0), most)
        for version, half, tables, faults in found
    ]
    return _ranked(standings)


def _standing(version: Version, half_points: int, tables: int, faults: int, most: int) -> StandingRow:
    return StandingRow(
        rank=0,
        bot_id=version.bot_id,
        bot=version.bot.name,
        owner=version.bot.owner.name,
        version_id=version.id,
        version=version.number,
        points=half_points / 2,
        share=half_points / (tables * most) if tables else None,
        tables=tables,
        faults=faults,
    )


def _ranked(standings: Sequence[StandingRow]) -> tuple[StandingRow, ...]:
    # By share, not by sum: while a tournament runs, some have played more tables than others.
    order = ranks([-1.0 if row.share is None else row.share for row in standings])
    placed = [replace(row, rank=rank) for row, rank in zip(standings, order, strict=True)]
    return tuple(sorted(placed, key=lambda row: row.rank))


def _tables(session: Session, tournament_id: int) -> tuple[TableRow, ...]:
    found = session.scalars(
        select(Table)
        .where(Table.tournament_id == tournament_id, Table.attempts > 0)
        .order_by(Table.finished.desc().nulls_first(), Table.id.desc())
        .limit(SHOWN_TABLES)
        .options(selectinload(Table.seats).joinedload(TableSeat.version).joinedload(Version.bot))
    ).all()
    ids = [table.id for table in found]
    played: dict[int, list[int]] = {table_id: [] for table_id in ids}
    for table_id, match_id in session.execute(
        select(Match.table_id, Match.id).where(Match.table_id.in_(ids)).order_by(Match.table_id, Match.seating)
    ):
        played[table_id].append(match_id)
    problems = _problems(session, ids)
    return tuple(_table(table, played[table.id], problems.get(table.id)) for table in found)


def _problems(session: Session, table_ids: Sequence[int]) -> dict[int, str | None]:
    """By table, what the machinery said the last time that it failed there."""
    failed = session.scalars(
        select(Attempt)
        .where(Attempt.table_id.in_(table_ids), Attempt.outcome.in_(("fault", "expired")))
        .order_by(Attempt.fence)
    )
    return {attempt.table_id: attempt.reason for attempt in failed}


def _table(table: Table, match_ids: Sequence[int], problem: str | None) -> TableRow:
    return TableRow(
        id=table.id,
        number=table.number,
        state=table.state,
        attempts=table.attempts,
        places=tuple(map(_place, table.seats)),
        matches=tuple(match_ids),
        problem=problem,
    )


def _place(seat: TableSeat) -> PlaceRow:
    version = seat.version
    return PlaceRow(
        position=seat.position,
        bot_id=version.bot_id,
        bot=version.bot.name,
        version_id=version.id,
        version=version.number,
        points=None if seat.half_points is None else seat.half_points / 2,
        rank=seat.rank,
    )


def _latest_matches(session: Session, tournament_id: int) -> tuple[MatchRow, ...]:
    ids = session.scalars(
        select(Match.id)
        .join(Table)
        .where(Table.tournament_id == tournament_id)
        .order_by(Match.id.desc())
        .limit(SHOWN_MATCHES)
    )
    return matches.rows(session, ids.all())
