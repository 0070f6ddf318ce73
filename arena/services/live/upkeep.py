"""Live tables that nobody comes back to: they end without a result, and those of guests are deleted after a while."""

from typing import Final

from sqlalchemy import delete, exists, select, update

from arena.db.clock import now
from arena.db.models import LiveBoards, LiveSeat, LiveSet, LiveTable
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.live import league

DAY: Final = 86400.0
ABANDONED_AFTER: Final = 7 * DAY
"""Seconds without a person after which a match ends without a result."""
KEPT: Final = 30 * DAY
"""Seconds for which tables are kept at which only guests sat, or that were abandoned."""
BATCH: Final = 100
"""Number of tables that a sweep deletes."""


def tidy(arena: Arena) -> None:
    """End abandoned tables, and delete old ones that belong to nobody with their boards."""
    late = LiveTable.touched < now() - ABANDONED_AFTER
    open_ = LiveTable.state.in_([LiveState.WAITING, LiveState.PLAYING])
    member = exists().where(LiveSeat.table_id == LiveTable.id, LiveSeat.user_id.is_not(None))
    nobodys = (
        (LiveTable.touched < now() - KEPT)
        & LiveTable.table_id.is_(None)
        & (~member | (LiveTable.state == LiveState.ABANDONED))
    )
    with arena.reading() as session:
        abandoned = session.scalars(select(LiveTable.id).where(late, open_).limit(BATCH)).all()
        old = session.scalars(select(LiveTable.id).where(nobodys).limit(BATCH)).all()
        cancelled = session.scalar(select(LiveTable.id).where(*league.CANCELLED).limit(1))
    if not abandoned and not old and cancelled is None:
        return
    with arena.transaction() as session:
        league.close_cancelled(session)
        final = {"state": LiveState.ABANDONED, "lease_until": None, "fence": LiveTable.fence + 1, "finished": now()}
        session.execute(update(LiveTable).where(LiveTable.id.in_(abandoned), open_, late).values(**final))
        session.execute(delete(LiveTable).where(LiveTable.id.in_(old)))
        shared = exists().where(LiveSet.id == LiveBoards.set_id, LiveSet.closes.is_not(None))
        unused = ~shared & ~exists().where(LiveTable.boards_id == LiveBoards.id)
        session.execute(delete(LiveBoards).where(unused, LiveBoards.created < now() - KEPT))
        empty = LiveSet.closes.is_(None) & ~exists().where(LiveBoards.set_id == LiveSet.id)
        session.execute(delete(LiveSet).where(empty))
