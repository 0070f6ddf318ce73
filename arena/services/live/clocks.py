"""Clocks of the seats at live tables: a time for each move, and a bank for what exceeds it.

Time runs while a host plays the table: an outage of the arena costs nobody anything.
"""

from typing import Final

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from arena.db.models import LiveMove, LiveTable
from arena.match.live import Position

LATE: Final = 3
"""Number of moves in a row whose time is up with which a program loses its seat."""


def asked(session: Session, table: LiveTable, at: Position) -> float | None:
    """Return the time of the open questions, in seconds since 1970; None if no host has played the table yet."""
    if table.resumed is None:
        return None
    made = select(func.max(LiveMove.made)).where(LiveMove.table_id == table.id, LiveMove.number < at.moves)
    return max(session.scalar(made) or table.created, table.resumed)


def left(session: Session, table: LiveTable, at: Position, seat: int, moment: float) -> float | None:
    """Return the seconds that a seat has left for its open question at a `moment`; None without a clock."""
    if table.clock is None:
        return None
    full, since = table.clock + bank(session, table, seat), asked(session, table, at)
    return full if since is None else max(0.0, full - (moment - since))


def bank(session: Session, table: LiveTable, seat: int) -> float:
    """Return the seconds that are left in the bank of a seat."""
    over = case((LiveMove.spent > table.clock, LiveMove.spent - table.clock), else_=0.0)
    used = select(func.sum(over)).where(LiveMove.table_id == table.id, LiveMove.seat == seat)
    return max(0.0, table.bank - (session.scalar(used) or 0.0))


def late_in_a_row(session: Session, table: LiveTable, seat: int) -> int:
    """Return how many of the seat's latest moves were made for it in a row, at most `LATE`."""
    own = select(LiveMove.late).where(LiveMove.table_id == table.id, LiveMove.seat == seat, LiveMove.spent.is_not(None))
    latest = session.scalars(own.order_by(LiveMove.number.desc()).limit(LATE)).all()
    return next((count for count, late in enumerate(latest) if not late), len(latest))
