"""States of tables as people see them: a table that the live host plays waits for no worker, so it is running."""

from typing import Final

from sqlalchemy import ColumnElement, and_, case, or_, select

from arena.db.models import LiveTable, Table
from arena.services.base.states import LiveState, TableState

_LIVE: Final = Table.id.in_(
    select(LiveTable.table_id).where(LiveTable.state == LiveState.PLAYING, LiveTable.table_id.is_not(None))
)
STATE: Final = case((_LIVE, TableState.RUNNING), else_=Table.state)
"""State of a table."""


def in_state(state: str) -> ColumnElement[bool]:
    """Return the condition of tables in a state."""
    own = Table.state == state
    return {TableState.RUNNING: or_(own, _LIVE), TableState.QUEUED: and_(own, ~_LIVE)}.get(TableState(state), own)
