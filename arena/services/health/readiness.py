"""Readiness: whether the arena can play now. A worker may answer a ping and still be deaf, or unable to hold bots."""

from typing import Final

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from arena.db import schema
from arena.db.clock import now
from arena.db.models import Process
from arena.db.schema import ForeignSchema
from arena.services.base.context import Arena
from arena.services.base.states import ProcessState
from arena.services.health.heartbeats import SILENT
from arena.services.health.views import Check

DEAF: Final = 60.0
"""Seconds without a doorbell or a move, from any worker, after which they count as deaf. The clock rings more often."""
UNPROVEN: Final = 300.0
"""Seconds without a bot, on any worker, after which none counts as able to hold one. Canaries play more often."""


def checks(arena: Arena) -> tuple[Check, ...]:
    """Return the checks that need the database; only the first if it does not answer."""
    try:
        with arena.reading() as session:
            answers = Check("database", True, "It answers.")
            fitting = _schema(session)
            return (answers, fitting, _workers(session)) if fitting.holds else (answers, fitting)
    except SQLAlchemyError as error:
        return (Check("database", False, f"It cannot be used ({type(error).__name__})."),)


def _schema(session: Session) -> Check:
    try:
        schema.check(session.connection())
    except ForeignSchema as foreign:
        return Check("schema", False, str(foreign))
    return Check("schema", True, f"It is that of this release ({schema.newest()}).")


def _workers(session: Session) -> Check:
    live = (Process.kind == "worker", Process.seen > now() - SILENT)
    count, active, held = session.execute(
        select(func.count(), now() - func.max(Process.active), now() - func.max(Process.held)).where(*live)
    ).one()
    out = select(func.count()).where(*live, Process.state.in_((ProcessState.PAUSED, ProcessState.OUT)))
    if not count:
        return Check("workers", False, "No worker process reports.")
    if session.scalars(out).one() == count:
        return Check("workers", False, f"All worker processes are paused or out ({count}).")
    if active is None or active > DEAF:
        return Check("workers", False, f"No worker process has taken a doorbell {_lately(active)} (of {count}).")
    if held is None or held > UNPROVEN:
        return Check("workers", False, f"No worker process has held a bot {_lately(held)} (of {count}).")
    return Check("workers", True, f"Worker processes: {count}. The last bot ran {held:.0f} s ago.")


def _lately(age: float | None) -> str:
    return "yet" if age is None else f"for {age:.0f} s"
