"""Tables of several people: they sit down, one of them starts, and bots take the seats that are left."""

from typing import Final

from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import LiveTable
from arena.games.errors import Conflict, Forbidden
from arena.games.registry import variant
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.live import tables
from arena.services.live.people import Person
from arena.services.live.positions import rules_of
from arena.services.live.tables import Wish, find, own_seat
from arena.words import _

CLOCK: Final = 60.0
"""Seconds for a move."""


def open_table(arena: Arena, person: Person, wish: Wish) -> str:
    """Open a table at which people may sit down beside a person. Returns its code. Raises as `tables.open_table`."""
    with arena.transaction() as session:
        tables.check_limits(session, person)
        boards = tables.draw(session, wish, field=False)
        code = tables.seat_people(session, boards, {boards.bots.index(None): person}, LiveState.WAITING)
        find(session, code).clock = CLOCK
        return code


def sit(arena: Arena, person: Person, code: str, seat: int) -> None:
    """Take a seat that a bot has. A person who sits elsewhere moves there. Raises `NotFound` and `Refused`."""
    with arena.transaction() as session:
        table = _waiting(session, code)
        if not 0 <= seat < len(table.seats) or table.seats[seat].version_id is None:
            raise Conflict(_("Somebody sits there already. Choose another seat."))
        before = own_seat(table, person)
        if before is None:
            tables.check_limits(session, person)
        else:
            there = table.seats[before]
            there.user_id, there.guest, there.version_id = None, None, table.seats[seat].version_id
        taken = table.seats[seat]
        taken.version_id, taken.user_id, taken.guest = None, person.user, person.guest
        table.boards.bots = [one.version_id for one in table.seats]


def start(arena: Arena, person: Person, code: str) -> None:
    """Start the match. Raises `NotFound`, `Forbidden` for those who do not sit there, and `Conflict`."""
    with arena.transaction() as session:
        table = _waiting(session, code)
        if own_seat(table, person) is None:
            raise Forbidden(_("Only the people at this table can start it."))
        table.state, table.touched = LiveState.PLAYING, now()


def again(arena: Arena, person: Person, code: str) -> str:
    """Open a table like a finished one: the same length, bots and people, other cards. Returns its code.

    Raises `NotFound`, `Forbidden` and `Refused`.
    """
    with arena.transaction() as session:
        table = find(session, code)
        if own_seat(table, person) is None:
            raise Forbidden(_("Only the people at this table can play on."))
        tables.check_limits(session, person)
        boards = tables.draw(session, _wish(table), field=table.clock is None)
        people = {one.seat: Person(one.user_id, one.guest, "") for one in table.seats if one.version_id is None}
        if table.clock is None:
            return tables.seat_people(session, boards, {boards.bots.index(None): person})
        boards.bots = list(table.boards.bots)
        fresh = tables.seat_people(session, boards, people, LiveState.WAITING)
        find(session, fresh).clock = table.clock
        return fresh


def _wish(table: LiveTable) -> Wish:
    """Return what was wished for at a table."""
    whole = rules_of(table.boards).options == variant(table.boards.variant).options
    names = tuple(seat.version.bot.name for seat in table.seats if seat.version)
    return Wish(table.boards.variant, tables.MATCH if whole else tables.DEAL, bots=names)


def _waiting(session: Session, code: str) -> LiveTable:
    table = find(session, code, lock=True)
    if table.state != LiveState.WAITING:
        raise Conflict(_("The match at this table has begun."))
    return table
