"""Notes about moves: what a language model was asked and answered, and what that cost."""

import zlib
from collections.abc import Sequence
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta
from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from arena.db.models import LiveNote
from arena.services.base.inputs import STORABLE, Input
from arena.services.base.views import View, says

LONGEST: Final = 24_000
"""Characters of a message."""
MESSAGES: Final = 8
"""Number of messages of a note."""
ROOM: Final = 2 * 2**20
"""Bytes for the compressed messages of a table; those of later moves are left out."""

Count = Annotated[int, Meta(ge=0, le=10**9)]
Amount = Annotated[float, Meta(ge=0, le=10**6)]


class Message(View, frozen=True, forbid_unknown_fields=True):
    """A message to a language model, or from it."""

    role: Literal["system", "user", "assistant"]
    text: Annotated[str, Meta(max_length=LONGEST, pattern=STORABLE)]


class Note(Input):
    """Questions to a language model about a move, and its answers."""

    model: Annotated[str, Meta(min_length=1, max_length=100, pattern=STORABLE)]
    messages: Annotated[
        Sequence[Message],
        Meta(max_length=MESSAGES),
        says("Messages in order; those that are the same for all moves of a table belong to the first move alone."),
    ] = ()
    answers: Annotated[Count, says("Number of the model's answers.")] = 1
    refused: Annotated[Count, says("Number of answers that were refused, as illegal or unreadable.")] = 0
    gave_up: Annotated[bool, says("Whether the program played an action of its own in place of an answer.")] = False
    seconds: Annotated[Amount, says("Time from the question to the action.")] = 0.0
    tokens_in: Annotated[Count | None, says("Tokens of all messages to the model.")] = None
    tokens_out: Annotated[Count | None, says("Tokens of all its answers.")] = None
    cost: Annotated[Amount | None, says("Cost, in the currency of the prices.")] = None


def add(session: Session, table: int, number: int, note: Note) -> None:
    """Store a note about a move that has just been written."""
    used = select(func.coalesce(func.sum(func.length(LiveNote.messages)), 0)).where(LiveNote.table_id == table)
    packed = zlib.compress(msgspec.json.encode(note.messages))
    row = {name: value for name, value in msgspec.structs.asdict(note).items() if name != "messages"}
    fits = session.scalars(used).one() + len(packed) <= ROOM
    session.execute(
        insert(LiveNote), [{**row, "table_id": table, "number": number, "messages": packed if fits else b""}]
    )


def messages_of(packed: bytes) -> tuple[Message, ...]:
    """Return the messages of a stored note."""
    return msgspec.json.decode(zlib.decompress(packed), type=tuple[Message, ...]) if packed else ()
