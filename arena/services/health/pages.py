"""Data of the operations page."""

import shutil
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db import schema
from arena.db.models import Attempt, Process, Table, Tournament
from arena.release import release
from arena.services.base.context import Arena
from arena.services.base.states import REPLAYABLE, TableState
from arena.services.base.times import database_time, moment
from arena.services.base.views import view_of
from arena.services.health import readiness
from arena.services.health.figures import figures
from arena.services.health.heartbeats import SILENT
from arena.services.health.views import FailureRow, OperationsPage, ProcessRow

SHOWN: Final = 50
"""Largest number of tournaments with given-up tables on the page."""


def operations(arena: Arena) -> OperationsPage:
    """Return the operations page."""
    disk = shutil.disk_usage(arena.settings.home)
    checks = readiness.checks(arena)
    with arena.reading() as session:
        return OperationsPage(
            checks=checks,
            processes=_processes(session),
            figures=figures(session),
            failures=_failures(session),
            release=release(),
            schema=schema.newest(),
            disk_free=disk.free,
            disk_total=disk.total,
        )


def _processes(session: Session) -> tuple[ProcessRow, ...]:
    silent = database_time(session).timestamp() - SILENT
    found = session.scalars(select(Process).order_by(Process.kind.desc(), Process.name))
    return tuple(view_of(ProcessRow, row, state="silent" if row.seen < silent else row.state) for row in found)


def _failures(session: Session) -> tuple[FailureRow, ...]:
    latest = (
        select(func.max(Table.number))
        .where(Table.tournament_id == Tournament.id, Table.state == TableState.INFRA_FAILED)
        .correlate(Tournament)
        .scalar_subquery()
    )
    found = session.execute(
        select(Tournament.id, Tournament.name, Tournament.tables_failed, Table.number, Attempt.reason, Table.finished)
        .join(Table, (Table.tournament_id == Tournament.id) & (Table.number == latest))
        .outerjoin(Attempt, (Attempt.table_id == Table.id) & (Attempt.fence == Table.fence))
        .where(Tournament.tables_failed > 0, Tournament.state.in_(REPLAYABLE))
        .order_by(Tournament.id.desc())
        .limit(SHOWN)
    )
    return tuple(
        FailureRow(id, name, tables, number, reason, None if finished is None else moment(finished))
        for id, name, tables, number, reason, finished in found
    )
