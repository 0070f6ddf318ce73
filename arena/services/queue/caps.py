"""Limit on the number of tables that wait in the queue."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Tournament
from arena.games.errors import Refused
from arena.services.base.context import settings_of
from arena.services.base.states import TournamentState


def check_tables(session: Session, added: int) -> None:
    """Raise `Refused` if the queue has no room for this number of additional tables.

    The count takes no lock, so concurrent requests may exceed the limit slightly.
    """
    limit = settings_of(session).queue_limit
    unsettled = func.sum(Tournament.tables_total - Tournament.tables_settled)
    counted = select(unsettled).where(Tournament.state.in_((TournamentState.RUNNING, TournamentState.PAUSED)))
    waiting = int(session.scalar(counted) or 0)
    if waiting + added > limit:
        raise Refused(
            f"The queue holds at most {limit:,} tables; {waiting:,} are waiting, and this would add {added:,}. "
            "Make the tournament smaller, cancel another one, or wait until more tables are played."
        )
