"""Which programs have news at their tables, for requests that wait for some."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import LiveMove, LiveSeat, LiveTable, Version
from arena.services.base.context import Arena
from arena.services.base.states import LiveState, VersionState
from arena.services.live.people import key_of

OVERLAP = 100
"""Number of the latest IDs that are read again: PostgreSQL may commit them out of order."""


class Changes:
    """Finds what has changed since it was last called; one look serves all requests of a process."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._stamp = ""
        self._moves: set[int] = set()
        """IDs of the latest moves that have been seen."""
        self._playing: set[int] = set()

    def __call__(self) -> Collection[str]:
        """Return the keys (`arena.services.live.people.Person.key`) of programs with news since the last call."""
        if (stamp := self._arena.database.stamp()) == self._stamp:
            return ()
        self._stamp = stamp
        with self._arena.reading() as session:
            changed = self._moved(session) | self._opened_or_ended(session)
            return _programs(session, changed) if changed else ()

    def _moved(self, session: Session) -> set[int]:
        since = max(self._moves, default=0) - OVERLAP
        latest = select(LiveMove.id, LiveMove.table_id).where(LiveMove.id > since).order_by(LiveMove.id.desc())
        rows = session.execute(latest if self._moves else latest.limit(OVERLAP)).all()
        new = {row.table_id for row in rows if row.id not in self._moves}
        self._moves = {row.id for row in rows}
        return new

    def _opened_or_ended(self, session: Session) -> set[int]:
        before = self._playing
        self._playing = set(session.scalars(select(LiveTable.id).where(LiveTable.state == LiveState.PLAYING)))
        return before ^ self._playing


def _programs(session: Session, tables: Collection[int]) -> set[str]:
    seats = (
        select(LiveSeat.user_id, Version.bot_id)
        .outerjoin(LiveSeat.version)
        .where(LiveSeat.table_id.in_(tables))
        .where(LiveSeat.program | (Version.state == VersionState.DECLARED))
    )
    return {key_of(row.bot_id, row.user_id) for row in session.execute(seats)}
