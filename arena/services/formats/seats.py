"""Queries about the entries that sat at the tables of each stage."""

from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from arena.db.models import Table, TableSeat, Tournament
from arena.services.base.states import TableState


class Seated(NamedTuple):
    """Tables of a version that count or may still count."""

    times: int
    """Number of tables."""
    stage: int
    """Stage of the last one, 0-based; -1 if there is none."""
    half_points: int | None
    """Half points at the last one; None before its result."""


NEVER = Seated(0, -1, None)
"""A version that has not sat at any table."""


def seated(session: Session, tournament: Tournament) -> dict[int, Seated]:
    """Return by version the tables at which it sat. For formats with few stages: reads all seats."""
    left_out = (TableState.CANCELLED, TableState.INFRA_FAILED)
    found = session.execute(
        select(TableSeat.version_id, Table.stage, TableSeat.half_points)
        .join(Table, Table.id == TableSeat.table_id)
        .where(Table.tournament_id == tournament.id, Table.state.not_in(left_out))
        .order_by(Table.number)
    )
    sat: dict[int, Seated] = {}
    for version, stage, half_points in found:
        sat[version] = Seated(sat.get(version, NEVER).times + 1, stage, half_points)
    return sat


def not_cancelled(tournament: Tournament) -> tuple[ColumnElement[bool], ...]:
    """Return conditions of the tournament's tables that are not cancelled."""
    return (Table.tournament_id == tournament.id, Table.state != TableState.CANCELLED)


def by_stage(session: Session, tournament: Tournament) -> list[set[int]]:
    """Return for each stage created so far the versions that sat at its tables."""
    sat = select(Table.stage, TableSeat.version_id).join(TableSeat.table)
    found = session.execute(sat.where(*not_cancelled(tournament)))
    seats: list[set[int]] = [set() for _ in range(tournament.stage)]
    for stage, version in found:
        if stage < len(seats):
            seats[stage].add(version)
    return seats


def tables_by_stage(session: Session, tournament: Tournament) -> list[tuple[int, int]]:
    """Return for each stage created so far its number of tables and the number of its first table."""
    counted = session.execute(
        select(Table.stage, func.count().label("tables"), func.min(Table.number).label("first"))
        .where(*not_cancelled(tournament))
        .group_by(Table.stage)
    )
    found = {row.stage: (row.tables, row.first) for row in counted}
    return [found.get(number, (0, 0)) for number in range(tournament.stage)]
