"""Seats of programs outside the arena: open questions, results, and the events since a cursor.

A cursor has, by table, the number of moves in the position of the last question. It is only a help: a program that asks
without one gets everything.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from sqlalchemy import or_, select
from sqlalchemy.orm import Session, joinedload

from arena.db.clock import now
from arena.db.models import LiveSeat, LiveTable
from arena.match.live import Position
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.inputs import Input, Text
from arena.services.base.states import LiveState
from arena.services.base.views import View, says
from arena.services.live import clocks, positions, presence, seats, tables
from arena.services.live.people import Person
from arena.services.live.tables import Wish

LONGEST: Final = 25.0
"""Seconds for which an answer waits at most for the next question."""
KNOWN: Final = 2 * presence.MOST
"""Number of tables of a cursor that are read."""
_CURSOR: Final = re.compile(r"([\w-]{1,32}):(-1|\d{1,9})")
NOTHING: Final = -1
"""Number of moves that stands for a table of which a program has heard nothing."""


class NewLiveTable(Input):
    """A table at which a program of yours plays with bots."""

    variant: Text
    length: Annotated[Text, says("Length: `deal`, the shortest match that the rules allow, or `match`.")] = tables.DEAL
    strength: Annotated[Text, says("Strength of the house bots: `easy`, `medium` or `strong`.")] = "medium"
    bots: Annotated[Sequence[Text], says("Names of the opponents; empty for house bots.")] = ()


class OutsideQuestion(View, frozen=True):
    """A move that is awaited from a program, with everything that it needs to answer."""

    table: Annotated[str, says("Code of the table.")]
    number: Annotated[int, says("Number of the move within the match.")]
    seat: int
    time: Annotated[float | None, says("Seconds left before the move is made for it; null at a table for practice.")]
    late: Annotated[
        int, says("Number of moves in a row that were made for it so far; with the third it loses its seat.")
    ]
    seats: Annotated[tuple[str, ...], says("Names by seat.")]
    variant: str
    game: str
    options: Annotated[dict[str, Any], says("Complete options of the game.")]
    view: Annotated[dict[str, Any], says("What the seat knows; `legal` lists the legal actions.")]
    events: Annotated[list[dict[str, Any]], says("What the seat has seen since the cursor.")]


class OutsideResult(View, frozen=True):
    """A table of the cursor that is over."""

    table: Annotated[str, says("Code of the table.")]
    state: LiveState
    problem: Annotated[str | None, says("Reason why the arena could not play on.")]
    seat: int
    scores: tuple[int, ...] | None
    ranks: tuple[int, ...] | None
    events: Annotated[list[dict[str, Any]], says("What the seat has seen since the cursor.")]


class OutsideSeats(View, frozen=True):
    """All open questions of a program, and tables that are over."""

    cursor: Annotated[str, says("Text to pass as `after` when all of this has been read.")]
    questions: tuple[OutsideQuestion, ...]
    over: tuple[OutsideResult, ...]


def open_table(arena: Arena, account: Account, new: NewLiveTable) -> str:
    """Open a table for a program of an account. Returns its code. Raises `OptionError` and `Refused`."""
    wish = Wish(new.variant, new.length, new.strength, tuple(new.bots))
    return tables.open_table(arena, Person.program_of(account), wish)


def person_of(arena: Arena, account: Account, bot: str = "") -> Person:
    """Return an account's bot outside the arena as a person at tables, or its program for practice if `bot` is empty.

    Raises `NotFound`, `Forbidden` and `Refused`.
    """
    if not bot:
        return Person.program_of(account)
    with arena.reading() as session:
        own = presence.own_bot(session, account, bot)
        return Person.bot_called(own.id, own.name)


def look(arena: Arena, person: Person, after: str) -> OutsideSeats:
    """Return the open questions of a program, and its tables that have ended since the cursor `after`."""
    if person.bot is not None:
        presence.renew(arena, person.bot)
    found = _look(arena, person, _known(after))
    for code in _known(found.cursor):
        tables.touch(arena, code)
    return found


def _known(cursor: str) -> dict[str, int]:
    """Return the number of moves that a program knows, by table. Other text than a cursor is ignored."""
    return {code: int(moves) for code, moves in _CURSOR.findall(cursor)[-KNOWN:]}


def is_new(found: OutsideSeats, after: str) -> bool:
    """Return whether a question or a result is new since the cursor `after`."""
    moves, known = _known(found.cursor), _known(after)
    return bool(found.over) or any(moves[one.table] != known.get(one.table) for one in found.questions)


def _look(arena: Arena, person: Person, known: Mapping[str, int]) -> OutsideSeats:
    known_or_playing = or_(LiveTable.state == LiveState.PLAYING, LiveTable.code.in_(known))
    wanted = select(LiveTable).join(LiveSeat).where(person.sits(), known_or_playing).order_by(LiveTable.id)
    loaded = joinedload(LiveTable.boards), joinedload(LiveTable.seats).options(*seats.NAMES)
    with arena.reading() as session:
        found, moment = session.scalars(wanted.options(*loaded)).unique().all(), session.scalars(select(now())).one()
        followed = [(table, _position(session, table)) for table in found]
        over = tuple(_result(*pair, person, known) for pair in followed if pair[0].state != LiveState.PLAYING)
        playing = {
            pair: _question(session, *pair, person, known, moment)
            for pair in followed
            if pair[0].state == LiveState.PLAYING
        }
        heard = [
            (table.code, at.moves if asked else known.get(table.code, NOTHING))
            for (table, at), asked in playing.items()
        ]
        return OutsideSeats(
            ".".join(f"{code}:{moves}" for code, moves in heard), tuple(filter(None, playing.values())), over
        )


def _position(session: Session, table: LiveTable) -> Position:
    rules = positions.rules_of(table.boards)
    return positions.position(rules, positions.drawer(rules, table.boards.seed), positions.log_of(session, table.id))


def _question(
    session: Session, table: LiveTable, at: Position, person: Person, known: Mapping[str, int], moment: float
) -> OutsideQuestion | None:
    seat = tables.own_seat(table, person)
    number = at.number(seat) if seat is not None else None
    if seat is None or number is None:
        return None
    return OutsideQuestion(
        table=table.code,
        number=number,
        seat=seat,
        time=clocks.left(session, table, at, seat, moment),
        late=clocks.late_in_a_row(session, table, seat) if table.clock else 0,
        seats=tuple(seats.names_of(table)),
        variant=table.boards.variant,
        game=at.rules.id,
        options=dict(at.rules.options),
        view=dict(at.state.view(seat)),
        events=_events(table, at, seat, known),
    )


def _result(table: LiveTable, at: Position, person: Person, known: Mapping[str, int]) -> OutsideResult:
    seat = tables.own_seat(table, person) or 0
    over = table.state == LiveState.FINISHED
    return OutsideResult(
        table=table.code,
        state=LiveState(table.state),
        problem=table.problem,
        seat=seat,
        scores=tuple(one.score or 0 for one in table.seats) if over else None,
        ranks=tuple(one.rank or 0 for one in table.seats) if over else None,
        events=_events(table, at, seat, known),
    )


def _events(table: LiveTable, at: Position, seat: int, known: Mapping[str, int]) -> list[dict[str, Any]]:
    return [event.for_seat(seat) for event in at.events_since(known.get(table.code, NOTHING))]
