"""Tools for people who learn a game at a table of their own: moves can be taken back, and hints asked for."""

import hashlib
import time
from collections.abc import Mapping
from typing import Annotated, Any, Final

from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import LiveMove, LiveTable
from arena.games.base import Game
from arena.games.errors import Conflict, Forbidden
from arena.match.estimate import Estimate, estimates
from arena.match.live import Position
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.base.views import View, says
from arena.services.live import positions
from arena.services.live.followed import followed
from arena.services.live.people import Person
from arena.services.live.tables import find, is_practice, own_seat
from arena.words import N_, _

NO_PRACTICE: Final = N_(
    "Moves are taken back and hints are given only at a table of your own, outside of sets of deals."
)

OVER: Final = N_("The match at this table is over.")
HINT_TIME: Final = 0.25
"""CPU seconds after which a hint begins no further round."""


class HintAction(View, frozen=True):
    """A legal action and what it is worth."""

    token: str
    label: str
    points: Annotated[float, says("Mean points of the person's side from here to the end of the deal.")]
    margin: Annotated[float, says("Half-width of the interval in which they lie, with a confidence of 95 %.")]
    best: bool
    remark: Annotated[str, says("What is certain about it, in a sentence; empty if nothing is.")]

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.points - self.margin

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.points + self.margin


class Hint(View, frozen=True):
    """Estimates of all legal actions, from what the person can see."""

    number: Annotated[int, says("Number of the move within the match.")]
    actions: tuple[HintAction, ...]
    hints: Annotated[int, says("Number of hints that the person has asked for at this table.")]


def undo(arena: Arena, person: Person, code: str) -> int:
    """Take back a person's last decision and all moves after it. Returns the number of the move that is due again.

    The fence is raised, so that nothing is written by the host that plays the old moves; a host that claims the table
    asks fresh bots. Raises `NotFound`, `Forbidden`, and `Conflict` if the match is over, nothing has been decided, or
    the table is not for practice.
    """
    with arena.transaction() as session:
        table = find(session, code, lock=True)
        seat = practising(table, person)
        if table.state != LiveState.PLAYING:
            raise Conflict(_(OVER))
        number = _last_decision(session, table, seat)
        if number is None:
            raise Conflict(_("You have not decided anything yet."))
        session.execute(delete(LiveMove).where(LiveMove.table_id == table.id, LiveMove.number >= number))
        freed = {"fence": LiveTable.fence + 1, "lease_until": None, "attempts": 0, "retry_at": None}
        own = update(LiveTable).where(LiveTable.id == table.id)
        session.execute(own.values(undone=LiveTable.undone + 1, touched=now(), **freed))
        return number


def hint(arena: Arena, person: Person | None, code: str) -> Hint:
    """Estimate the legal actions of a person who is to move, and count the hint.

    Raises `NotFound`, `Forbidden`, and `Conflict` if no move of the person is due or the table is not for practice.
    """
    with arena.reading() as session:
        table = find(session, code)
        seat = practising(table, person)
        with followed(session, table, seat) as one:
            number, rules, view, key = one.at.number(seat), one.at.rules, one.at.state.view(seat), table.id
        if table.state != LiveState.PLAYING or number is None:
            raise Conflict(_(OVER) if table.state == LiveState.FINISHED else _("It is not your turn."))
    end = time.thread_time() + HINT_TIME
    found = estimates(rules, view, _seed(code, number), lambda: time.thread_time() > end)
    with arena.transaction() as session:
        counted = update(LiveTable).where(LiveTable.id == key).values(hints=LiveTable.hints + 1)
        hints = session.scalars(counted.returning(LiveTable.hints)).one()
    return Hint(number, tuple(_action(rules, view, one) for one in found), hints)


def _action(rules: Game, view: Mapping[str, Any], one: Estimate) -> HintAction:
    label, remark = rules.label(one.token, view), rules.remark(view, one.token)
    return HintAction(one.token, label, one.points, one.margin, one.best, remark)


def _seed(code: str, number: int) -> int:
    """Return the seed of the hint for a move: the same hint for the same question, and nothing that is secret."""
    return int.from_bytes(hashlib.sha256(f"{code}:{number}".encode()).digest()[:8])


def practising(table: LiveTable, person: Person | None) -> int:
    """Return the seat of a person who practises there. Raises `Forbidden` for others, and `Conflict`."""
    seat = own_seat(table, person)
    if seat is None:
        raise Forbidden(_("Only the person at this table can do that."))
    if not is_practice(table):
        raise Conflict(_(NO_PRACTICE))
    return seat


def _last_decision(session: Session, table: LiveTable, seat: int) -> int | None:
    """Return the number of a seat's last move for which it had a choice; None without one."""
    rules, log = positions.rules_of(table.boards), positions.log_of(session, table.id)
    at, last = Position(rules, positions.drawer(rules, table.boards.seed)), None
    for index, (number, move) in enumerate(log):
        at.advance(log[:index])
        if move.seat == seat and at.number(seat) == number:
            last = number
    return last
