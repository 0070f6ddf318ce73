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
from arena.words import N_, _

DEAF: Final = 60.0
"""Seconds without a doorbell or a move, from any worker, after which they count as deaf. The clock rings more often."""
UNPROVEN: Final = 300.0
"""Seconds without a bot, on any worker, after which none counts as able to hold one. Canaries play more often."""


def checks(arena: Arena) -> tuple[Check, ...]:
    """Return the checks that need the database; only the first if it does not answer."""
    try:
        with arena.reading() as session:
            answers = Check(N_("database"), True, _("It answers."))
            fitting = _schema(session)
            return (answers, fitting, _workers(session)) if fitting.holds else (answers, fitting)
    except SQLAlchemyError as error:
        return (Check(N_("database"), False, _("It cannot be used (%(error)s).", error=type(error).__name__)),)


def _schema(session: Session) -> Check:
    try:
        schema.check(session.connection())
    except ForeignSchema as foreign:
        return Check(N_("schema"), False, str(foreign))
    return Check(N_("schema"), True, _("It is that of this release (%(schema)s).", schema=schema.newest()))


def _workers(session: Session) -> Check:
    live = (Process.kind == "worker", Process.seen > now() - SILENT)
    count, active, held = session.execute(
        select(func.count(), now() - func.max(Process.active), now() - func.max(Process.held)).where(*live)
    ).one()
    out = select(func.count()).where(*live, Process.state.in_((ProcessState.PAUSED, ProcessState.OUT)))
    if not count:
        return Check(N_("workers"), False, _("No worker process reports."))
    if session.scalars(out).one() == count:
        return Check(N_("workers"), False, _("All worker processes are paused or out (%(number)s).", number=count))
    if active is None or active > DEAF:
        return Check(N_("workers"), False, _deaf(active, count))
    if held is None or held > UNPROVEN:
        return Check(N_("workers"), False, _unproven(held, count))
    return Check(
        N_("workers"),
        True,
        _("Worker processes: %(number)s. The last bot ran %(seconds)s s ago.", number=count, seconds=round(held)),
    )


def _deaf(age: float | None, count: int) -> str:
    if age is None:
        return _("No worker process has taken a doorbell yet (of %(number)s).", number=count)
    said = N_("No worker process has taken a doorbell for %(seconds)s s (of %(number)s).")
    return _(said, number=count, seconds=round(age))


def _unproven(age: float | None, count: int) -> str:
    if age is None:
        return _("No worker process has held a bot yet (of %(number)s).", number=count)
    said = N_("No worker process has held a bot for %(seconds)s s (of %(number)s).")
    return _(said, number=count, seconds=round(age))
