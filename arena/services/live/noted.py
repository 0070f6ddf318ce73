"""Notes as people see them: beside the moves of a finished table, and before its end for the owner of the program."""

from typing import Annotated, Any, Final

from sqlalchemy import Select, literal, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import LiveMove, LiveNote, LiveTable
from arena.games.errors import NotFound
from arena.match.frames import framed
from arena.match.record import unpack
from arena.match.replay import replay
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.base.views import View, says
from arena.services.live.notes import Message, messages_of
from arena.services.live.tables import find, hidden
from arena.words import _


class MoveNote(View, frozen=True):
    """A note in the list of a table's notes."""

    number: Annotated[int, says("Number of the move within the match.")]
    seat: int
    action: str
    model: str
    answers: Annotated[int, says("Number of the model's answers.")]
    refused: Annotated[int, says("Number of answers that were refused, as illegal or unreadable.")]
    gave_up: Annotated[bool, says("Whether the program played an action of its own in place of an answer.")]
    seconds: Annotated[float, says("Time from the question to the action.")]
    tokens_in: Annotated[int | None, says("Tokens of all messages to the model.")]
    tokens_out: Annotated[int | None, says("Tokens of all its answers.")]
    cost: Annotated[float | None, says("Cost, in the currency of the program's prices.")]


class MoveNoteDetail(MoveNote, frozen=True):
    """A note with the questions to a language model about a move, and its answers."""

    messages: Annotated[tuple[Message, ...], says("Messages in order; empty if the table had no room for them.")]


_ROW: Final = tuple(getattr(LiveNote, name) for name in MoveNote.__struct_fields__ if name not in ("seat", "action"))
_ROWS: Final[Select[*tuple[Any, ...]]] = (
    select(*_ROW, LiveMove.seat, LiveMove.token.label("action"))
    .join(LiveMove, (LiveMove.table_id == LiveNote.table_id) & (LiveMove.number == LiveNote.number))
    .order_by(LiveNote.number)
)


def rows(arena: Arena, viewer: Account | None, code: str) -> tuple[MoveNote, ...]:
    """Return the notes of a table in the order of the moves; none if the viewer must not see them.

    Raises `NotFound` if there is no such table.
    """
    with arena.reading() as session:
        found = session.execute(_visible(session, viewer, code))
        return tuple(MoveNote(**row._asdict()) for row in found)


def note(arena: Arena, viewer: Account | None, code: str, number: int) -> MoveNoteDetail:
    """Return the note about a move. Raises `NotFound`, also if the viewer must not see it."""
    with arena.reading() as session:
        wanted = _visible(session, viewer, code).add_columns(LiveNote.messages).where(LiveNote.number == number)
        row = session.execute(wanted).one_or_none()
        if row is None:
            raise NotFound(_("There is no note about this move that you may see."))
        return MoveNoteDetail(**row._asdict() | {"messages": messages_of(row.messages)})


def replay_of(arena: Arena, viewer: Account | None, code: str) -> dict[str, Any]:
    """Return the frames of a finished match whose notes the viewer may see. Raises `NotFound`."""
    with arena.reading() as session:
        table = find(session, code)
        if table.record is None or not _may_see(session, viewer, table):
            raise NotFound(_("There is no replay of this table yet."))
        return framed(replay(unpack(table.record)))


def _visible(session: Session, viewer: Account | None, code: str) -> Select[*tuple[Any, ...]]:
    """Select the notes of a table that the viewer may see. Raises `NotFound`."""
    table = find(session, code)
    return _ROWS.where(LiveNote.table_id == table.id, literal(_may_see(session, viewer, table)))


def _may_see(session: Session, viewer: Account | None, table: LiveTable) -> bool:
    """Return whether the viewer may see the notes of a table: the owner of the program always, others the replay's."""
    if viewer and any(seat.program and seat.user_id == viewer.id for seat in table.seats):
        return True
    return table.state == LiveState.FINISHED and not hidden(table, session.scalars(select(now())).one())
