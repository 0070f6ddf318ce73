"""Which programs are asked something, or have a table that is new or over, for requests that wait for that."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import LiveBoards, LiveMove, LiveSeat, LiveTable, Version
from arena.match.live import Position
from arena.services.base.context import Arena
from arena.services.base.states import LiveState, VersionState
from arena.services.live import positions
from arena.services.live.people import key_of

OVERLAP: Final = 100
"""Number of the latest IDs that are read again: PostgreSQL may commit them out of order."""


class Changes:
    """Finds what has changed since it was last called; one look serves all requests of a process."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._stamp = ""
        self._moves: set[int] = set()
        """IDs of the latest moves that have been seen."""
        self._playing: set[int] = set()
        self._at: dict[int, Position] = {}
        """Positions of tables at play, by ID. Nobody takes back a move where a program plays."""

    def __call__(self) -> Collection[str]:
        """Return the keys (`arena.services.live.people.Person.key`) of programs with news since the last call.

        A move is news for those whose turn it is then: waking all at its table would cost more than all else.
        """
        if (stamp := self._arena.database.stamp()) == self._stamp:
            return ()
        self._stamp = stamp
        with self._arena.reading() as session:
            moved, turned = self._moved(session), self._opened_or_ended(session)
            seats = _programs(session, moved | turned)
            asked = {table: self._asked(session, table) for table in {seat.table_id for seat in seats} - turned}
            news = [one for one in seats if one.table_id in turned or one.seat in asked[one.table_id]]
            return {key_of(one.bot_id, one.user_id) for one in news}

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
        self._at = {table: at for table, at in self._at.items() if table in self._playing}
        return before ^ self._playing

    def _asked(self, session: Session, table: int) -> Collection[int]:
        """Return the seats from which a table awaits a move."""
        if table not in self._at:
            boards = session.scalars(select(LiveBoards).join(LiveTable).where(LiveTable.id == table)).one()
            rules = positions.rules_of(boards)
            self._at[table] = Position(rules, positions.drawer(rules, boards.seed))
        at = self._at[table]
        at.advance(positions.log_of(session, table, at.moves))
        at.take_steps()  # nobody reads them
        return [seat for seat in at.state.actors() if at.number(seat) is not None]


def _programs(session: Session, tables: Collection[int]) -> Sequence[Any]:
    """Return table, seat and program of each seat of a program at some tables."""
    seats = (
        select(LiveSeat.table_id, LiveSeat.seat, LiveSeat.user_id, Version.bot_id)
        .outerjoin(LiveSeat.version)
        .where(LiveSeat.table_id.in_(tables))
        .where(LiveSeat.program | (Version.state == VersionState.DECLARED))
    )
    return session.execute(seats).all() if tables else ()
