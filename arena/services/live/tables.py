"""Open live tables, look at them, and move there."""

import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Final, NamedTuple

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload

from arena.db.clock import now
from arena.db.models import LiveBoards, LiveField, LiveMove, LiveSeat, LiveTable
from arena.games.base import Game
from arena.games.chance import SEED_BYTES, commitment
from arena.games.errors import Conflict, Forbidden, NotFound, Refused
from arena.games.registry import check_caged, game, variant
from arena.match.live import Position
from arena.match.position import PUBLIC
from arena.services.base import views
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.base.texts import storable
from arena.services.base.views import View, says
from arena.services.live import clocks, notes, seats
from arena.services.live.followed import Following, followed
from arena.services.live.notes import Note
from arena.services.live.people import Person
from arena.words import _

DEAL, MATCH = "deal", "match"
LENGTHS: Final = (DEAL, MATCH)
"""Lengths of play: the shortest match that the rules allow, and a match of the variant."""
OPEN: Final = 8
"""Number of tables that a person may have unfinished."""
DAILY: Final = {False: 60, True: 300}
"""Number of tables that a person may open in 24 hours, by whether it is a member."""
DAY: Final = 86400.0
ATTEMPTS: Final = 3
"""Number of times that a move is checked again because the table has changed before it was written."""
PATIENCE: Final = 1.5
"""Seconds for which the answer to a move waits for the bots."""
LOOK_EVERY: Final = 0.008
LATER: Final = 0.125
"""Part of the time waited so far after which an answer that is not quick looks again: the machine has much to do."""
TOUCH_EVERY: Final = 60.0
"""Seconds between two notes that somebody is there."""
QUEUE: Final = 10
"""Number of tables that may wait for a host; with more of them all hosts are full."""

# Built once: every request at a table executes them.
_FOUND: Final = (
    select(LiveTable)
    .where(LiveTable.code == bindparam("code"))
    .options(joinedload(LiveTable.boards), joinedload(LiveTable.seats).options(*seats.NAMES))
)
_LOCKED: Final = _FOUND.with_for_update(of=LiveTable)
_PROGRESS: Final = select(
    LiveTable.state,
    select(func.count()).select_from(LiveMove).where(LiveMove.table_id == LiveTable.id).scalar_subquery(),
).where(LiveTable.code == bindparam("code"))


class Wish(NamedTuple):
    """What a person would like to play."""

    variant: str
    length: str = DEAL
    strength: str = "medium"
    bots: tuple[str, ...] = ()
    """Names of the opponents; empty for house bots of the strength."""


class LiveSeatView(View, frozen=True):
    """A seat at a live table."""

    seat: int
    name: str
    bot: Annotated[int | None, says("ID of the bot's version; null for a person.")]


class LiveAction(View, frozen=True):
    """A legal action of the person whose move is due."""

    token: str
    label: Annotated[str, says("What a button for it says.")]
    cards: Annotated[tuple[str, ...], says("Cards that it moves, in order; empty if it is only said.")]
    remark: Annotated[str, says("What is certain about it, in a sentence; only at tables for practice.")]


class LiveQuestion(View, frozen=True):
    """A move that is awaited from the person."""

    number: Annotated[int, says("Number of the move within the match.")]
    text: Annotated[str, says("What is asked, in a sentence; {0} stands for the name of seat 0.")]
    actions: tuple[LiveAction, ...]
    refusals: Annotated[dict[str, str], says("Why each of the other cards in hand is not allowed now.")]
    claims: Annotated[bool, says("Whether every trick that is left is the person's; only at tables for practice.")]


class LiveTableView(View, frozen=True):
    """A live table as one person may see it."""

    code: Annotated[str, says("Text in the table's address.")]
    variant: str
    state: LiveState
    seats: tuple[LiveSeatView, ...]
    seat: Annotated[int | None, says("The person's own seat; null for a spectator.")]
    moves: Annotated[int, says("Number of moves in whole steps so far.")]
    question: Annotated[LiveQuestion | None, says("The move that is awaited from the person; null if none is.")]
    replay: Annotated[dict[str, Any], says("All frames up to now, as the person may see them.")]
    scores: tuple[int, ...] | None
    ranks: tuple[int, ...] | None
    clock: Annotated[float | None, says("Seconds that a person has for a move; null for no limit.")]
    left: Annotated[float | None, says("Seconds left for the move that is awaited; null without a limit.")]
    held: Annotated[bool, says("Whether a host plays the table at present.")]
    practice: Annotated[bool, says("Whether the person may take moves back here and ask for hints.")]
    undone: Annotated[int, says("Number of times that the person has taken back moves.")]
    hints: Annotated[int, says("Number of hints that the person has asked for.")]
    problem: str | None


def open_table(arena: Arena, person: Person, wish: Wish) -> str:
    """Open a table for a person and bots. Returns its code. Raises `OptionError` and `Refused`."""
    with arena.transaction() as session:
        check_limits(session, person)
        boards = draw(session, wish, field=not person.program)
        return seat_people(session, boards, {boards.bots.index(None): person})


def draw(session: Session, wish: Wish, field: bool = True) -> LiveBoards:
    """Draw boards, one seat for a person and bots for the others, and with a `field` bots that play them as well.

    Raises `OptionError` and `Refused`.
    """
    return lay(session, wish, opponents(session, wish), field)


def lay(session: Session, wish: Wish, others: Sequence[int], field: bool = True) -> LiveBoards:
    """Draw boards as `draw` does, against these versions of bots instead of those that are wished for."""
    rules = rules_for(wish)
    seed, own = secrets.token_bytes(SEED_BYTES), secrets.randbelow(rules.players)
    bots: list[int | None] = [*others[:own], None, *others[own:]]
    boards = LiveBoards(
        variant=wish.variant, options=dict(rules.options), seed=seed, commitment=commitment(seed), bots=bots
    )
    versions = seats.field_of(session, rules.id, others) if field else []
    boards.field = [LiveField(version_id=version) for version in versions]
    session.add(boards)
    return boards


def seat_people(
    session: Session, boards: LiveBoards, people: dict[int, Person], state: LiveState = LiveState.PLAYING
) -> str:
    """Add a table at which these people sit, by seat, and the bots of the boards. Returns its code."""
    table = LiveTable(code=seats.new_code(), boards=boards, state=state)
    for seat, version in enumerate(boards.bots):
        person = people.get(seat)
        owner = {"user_id": person.user, "guest": person.guest, "program": person.program} if person else {}
        table.seats.append(LiveSeat(seat=seat, version_id=None if person else version, **owner))
    session.add(table)
    return table.code


def rules_for(wish: Wish) -> Game:
    """Return the rules for the length that is wished for. Raises `OptionError` and `Refused`."""
    if wish.length not in LENGTHS:
        raise Refused(_("A length is one of %(lengths)s.", lengths=", ".join(LENGTHS)))
    if wish.strength not in seats.STRENGTHS:
        raise Refused(_("A strength is one of %(strengths)s.", strengths=", ".join(seats.STRENGTHS)))
    check_caged(wish.variant)
    offered = variant(wish.variant)
    rules = game(offered.game, offered.options)
    return rules.shortest() if wish.length == DEAL else rules


def check_limits(session: Session, person: Person) -> None:
    """Raise `Refused` if a person has too many tables, or the arena has."""
    own = select(func.count()).select_from(LiveSeat).join(LiveTable).where(person.sits())
    unfinished = LiveTable.state.in_([LiveState.WAITING, LiveState.PLAYING])
    if session.scalar(own.where(unfinished)) >= OPEN:  # type: ignore[operator]
        raise Refused(_("You have %(count)s tables that are not finished. Finish one of them first.", count=OPEN))
    if session.scalar(own.where(LiveTable.created > now() - DAY)) >= DAILY[person.guest is None]:  # type: ignore[operator]
        raise Refused(_("You have played a lot today. Come back tomorrow."))
    unheld = LiveTable.state == LiveState.PLAYING, func.coalesce(LiveTable.lease_until, 0) < now()
    queue = select(func.count()).select_from(LiveTable).where(*unheld, LiveTable.touched > now() - 2 * TOUCH_EVERY)
    if session.scalar(queue) >= QUEUE:  # type: ignore[operator]
        raise Refused(_("All tables are taken at the moment. Try again in a few minutes."))


def opponents(session: Session, wish: Wish) -> list[int]:
    """Return the IDs of the versions that are wished for as opponents. Raises `OptionError` and `Refused`."""
    rules = rules_for(wish)
    count = rules.players - 1
    if wish.bots:
        return seats.by_name(session, wish.bots, rules.id, count)
    return seats.by_strength(session, wish.strength, rules.id, count)


def find(session: Session, code: str, lock: bool = False) -> LiveTable:
    """Return the table with this code, locked against others if asked. Raises `NotFound`."""
    table = session.scalars(_LOCKED if lock else _FOUND, {"code": storable(code)}).unique().one_or_none()
    if table is None:
        raise NotFound(_("There is no such table."))
    return table


def own_seat(table: LiveTable, person: Person | None) -> int | None:
    """Return the seat of a person; None for a spectator."""
    return next((seat.seat for seat in table.seats if person and person.owns(seat)), None)


def is_practice(table: LiveTable) -> bool:
    """Return whether a table is one person's own, not of a set that is compared, and everybody else is a bot."""
    return table.boards.set_id is None and sum(one.version_id is None for one in table.seats) == 1


def look(arena: Arena, person: Person | None, code: str) -> LiveTableView:
    """Return a table as a person may see it. Raises `NotFound`."""
    with arena.reading() as session:
        table, moment = find(session, code), session.scalars(select(now())).one()
        seat = own_seat(table, person)
        with followed(session, table, viewer_of(table, seat, moment)) as one:
            left = None if seat is None else clocks.left(session, table, one.at, seat, moment)
            return view_of(table, seat, one, moment, left)


def viewer_of(table: LiveTable, seat: int | None, moment: float) -> int | None:
    """Return as whom a person in a seat, or a spectator, sees a table (`arena.match.frames.Frames`).

    `moment` is the present in seconds since 1970.
    """
    if table.state == LiveState.FINISHED and (seat is not None or not hidden(table, moment)):
        return None
    return PUBLIC if seat is None else seat


def view_of(
    table: LiveTable, seat: int | None, one: Following, moment: float, left: float | None = None
) -> LiveTableView:
    """Return a table as followed by a person in a seat, or by a spectator.

    Now is `moment`, in seconds since 1970, and the person has `left` seconds for a move, or no limit.
    """
    names = seats.names_of(table)
    over, at = table.state == LiveState.FINISHED, one.at
    return views.view_of(
        LiveTableView,
        table,
        variant=table.boards.variant,
        state=LiveState(table.state),
        seats=tuple(LiveSeatView(one.seat, name, one.version_id) for one, name in zip(table.seats, names, strict=True)),
        seat=seat,
        moves=at.moves,
        question=question_of(at, seat, is_practice(table))
        if seat is not None and table.state == LiveState.PLAYING
        else None,
        scores=tuple(one.score or 0 for one in table.seats) if over else None,
        ranks=tuple(one.rank or 0 for one in table.seats) if over else None,
        replay=one.replay(names),
        left=left,
        held=table.lease_until is not None and table.lease_until > moment,
        practice=seat is not None and is_practice(table),
    )


def hidden(table: LiveTable, moment: float) -> bool:
    """Return whether strangers must not see all cards of a finished table: others have yet to play them.

    `moment` is the present in seconds since 1970.
    """
    within = table.boards.set
    return within is not None and within.closes is not None and moment < within.closes


def question_of(at: Position, seat: int, practice: bool) -> LiveQuestion | None:
    """Return what a seat is asked, with remarks for `practice`; None if nothing is."""
    number = at.number(seat)
    if number is None:
        return None
    rules, view = at.rules, at.state.view(seat)
    actions = tuple(
        LiveAction(
            token, rules.label(token, view), rules.cards_of(token), rules.remark(view, token) if practice else ""
        )
        for token in view["legal"]
    )
    usable = {card for action in actions for card in action.cards}
    refusals = {card: rules.refusal(view, card) for card in view.get("hand", ()) if card not in usable}
    return LiveQuestion(number, rules.question(view), actions, refusals, practice and rules.claims(view))


def move(arena: Arena, person: Person, code: str, number: int, token: str, note: Note | None = None) -> None:
    """Make a person's move, with a note about it. The same move again changes nothing, whatever its note.

    Raises `NotFound`, `Forbidden`, `Conflict` if another move has this number or it is not the person's turn, and
    `Refused` with the legal actions if the rules do not allow it.
    """
    for _attempt in range(ATTEMPTS):
        checked = _checked(arena, person, code, number, token)
        if checked is None or _write(arena, checked, number, token, note):
            return
    raise Conflict(_("The table changed at the same time. Try again."))


class _Checked(NamedTuple):
    """A move that the rules allow, as long as no move at its table is taken back."""

    table: int
    seat: int
    undone: int
    asked: float | None
    """Time from which it takes the seat's time, in seconds since 1970; None without a clock."""


def _checked(arena: Arena, person: Person, code: str, number: int, token: str) -> _Checked | None:
    """Check a person's move; return None if it was made already. Raises as `move`."""
    with arena.reading() as session:
        table = find(session, code)
        seat = own_seat(table, person)
        if seat is None:
            raise Forbidden(_("Only the people at this table can move here."))
        with followed(session, table, seat) as one:
            known = number in range(one.at.moves + one.at.rules.players)
            if known and _made(session, table, seat, number, token):
                return None
            _check(table, one.at, seat, number, token)
            asked = clocks.asked(session, table, one.at) if table.clock else None
        return _Checked(table.id, seat, table.undone, asked)


def _write(arena: Arena, checked: _Checked, number: int, token: str, note: Note | None = None) -> bool:
    """Write a move unless the table has changed. Everybody who writes waits for that, so it comes after the checks."""
    here = (LiveTable.id == checked.table, LiveTable.undone == checked.undone, LiveTable.state == LiveState.PLAYING)
    row: dict[str, Any] = {"table_id": checked.table, "number": number, "seat": checked.seat, "token": token}
    if checked.asked is not None:
        row["spent"] = now() - checked.asked
    with suppress(IntegrityError), arena.transaction() as session:  # sent twice at the same time: the other one counts
        if session.scalar(update(LiveTable).where(*here).values(touched=now()).returning(LiveTable.id)):
            session.execute(insert(LiveMove).values(row))
            if note:
                notes.add(session, checked.table, number, note)
            return True
    return False


def _made(session: Session, table: LiveTable, seat: int, number: int, token: str) -> bool:
    """Return whether a seat has made this move. Raises `Conflict` if it has made another one.

    Moves of other seats do not count: they may be secret.
    """
    own = select(LiveMove.token).where(LiveMove.table_id == table.id, LiveMove.seat == seat)
    made = session.scalars(own.where(LiveMove.number == number)).one_or_none()
    if made not in (None, token):
        raise Conflict(_("Move %(number)s was made already: %(made)s.", number=number, made=made))
    return made is not None


def _check(table: LiveTable, at: Position, seat: int, number: int, token: str) -> None:
    if table.state != LiveState.PLAYING:
        raise Conflict(_("The match at this table is over."))
    at.check(seat, number, token)


def look_after(arena: Arena, person: Person, code: str, number: int, patience: float = PATIENCE) -> LiveTableView:
    """Return a table as soon as it is the person's turn again after the move `number`, or the match is over.

    After `patience` seconds, return it as it is then. Raises `NotFound`.
    """
    began, stamp, seen = time.monotonic(), "", None
    while (waited := time.monotonic() - began) < patience:
        if (now_stamp := arena.database.stamp()) != stamp and (progress := _progress(arena, code)) != seen:
            table, seen = look(arena, person, code), progress
            if table.state != LiveState.PLAYING or (table.question and table.question.number > number):
                return table
        stamp = now_stamp
        time.sleep(max(LOOK_EVERY, LATER * waited))
    return look(arena, person, code)


def _progress(arena: Arena, code: str) -> Any:
    """Return the state of a table and the number of its moves. Every waiting request asks after every commit."""
    with arena.reading() as session:
        return session.execute(_PROGRESS, {"code": storable(code)}).one_or_none()


def touch(arena: Arena, code: str) -> None:
    """Note that somebody is at a table, so that it is played, about once a minute."""
    with arena.reading() as session:
        late = (LiveTable.state == LiveState.PLAYING, LiveTable.touched < now() - TOUCH_EVERY)
        stale = session.scalar(select(LiveTable.id).where(LiveTable.code == storable(code), *late))
    if stale is not None:
        with arena.transaction() as session:
            session.execute(update(LiveTable).where(LiveTable.id == stale).values(touched=now()))
