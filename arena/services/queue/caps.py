"""Limit on the number of tables that wait in the queue."""

from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Tournament
from arena.games.errors import Refused
from arena.services.base.states import TournamentState
from arena.words import _, number

MOST_WAITING: Final = 1_000_000
"""Number of tables that may wait in all tournaments together. Placements of uploads are always accepted."""


def check_tables(session: Session, added: int) -> None:
    """Raise `Refused` if the queue has no room for this number of additional tables.

    The count takes no lock, so concurrent requests may exceed the limit slightly.
    """
    unsettled = func.sum(Tournament.tables_total - Tournament.tables_settled)
    counted = select(unsettled).where(Tournament.state.in_((TournamentState.RUNNING, TournamentState.PAUSED)))
    waiting = int(session.scalar(counted) or 0)
    if waiting + added > MOST_WAITING:
        raise Refused(
            _(
                "The queue holds at most %(most)s tables; %(waiting)s are waiting, and this would add %(added)s. "
                "Make the tournament smaller, cancel another one, or wait until more tables are played.",
                most=number(MOST_WAITING),
                waiting=number(waiting),
                added=number(added),
            )
        )
