"""Page of the tables that the arena gave up, that wait for another attempt, or that wait for a worker."""

from typing import Final

from sqlalchemy import Select, select

from arena.db.models import Attempt, Table, Tournament
from arena.services.administration.views import StuckTable
from arena.services.base.context import Arena
from arena.services.base.lists import SHOWN, Listed, listed
from arena.services.base.states import REPLAYABLE, TableState, TournamentState
from arena.services.base.views import view_of
from arena.words import N_, _

Stuck = Select[Table, str, str, str | None]
FAILED, RETRYING, WAITING = "failed", "retrying", "waiting"
TITLES: Final = {
    FAILED: N_("Given up after repeated failures"),
    RETRYING: N_("Waiting for another attempt after a failure"),
    WAITING: N_("Waiting for their first attempt"),
}
"""Kinds of tables, and their titles."""


def stuck(arena: Arena, kind: str, page: int = 1, size: int = SHOWN) -> Listed[StuckTable]:
    """Return one page of the tables of a kind, one of `TITLES`; given-up ones latest first, others oldest first."""
    with arena.reading() as session:
        return listed(session, _tables(kind), page, _row, size)


def _tables(kind: str) -> Stuck:
    latest = (Attempt.table_id == Table.id) & (Attempt.fence == Table.fence)
    columns = (Table, Tournament.name, Tournament.state, Attempt.reason)
    query: Stuck = select(*columns).join(Table.tournament).outerjoin(Attempt, latest)
    if kind == FAILED:
        given_up = (Table.state == TableState.INFRA_FAILED, Tournament.state.in_(REPLAYABLE))
        return query.where(*given_up).order_by(Table.finished.desc(), Table.id.desc())
    again = Table.attempts > 0 if kind == RETRYING else Table.attempts == 0
    return query.where(Table.state == TableState.QUEUED, again).order_by(Table.id)


def _row(table: Table, tournament: str, state: str, failure: str | None) -> StuckTable:
    return view_of(StuckTable, table, tournament=tournament, reason=_reason(table, state, failure))


def _reason(table: Table, state: str, failure: str | None) -> str:
    if table.state == TableState.QUEUED and state == TournamentState.PAUSED:
        return _("Its tournament is paused.")
    if table.attempts:
        return _("Last failure: %(reason)s", reason=failure or _("unknown"))
    return _("No worker has taken it yet.")
