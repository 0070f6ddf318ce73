"""Seats for programs outside the arena."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from arena.games.errors import NotFound
from arena.services.base.inputs import STORABLE, Input, Number, Text
from arena.services.base.states import LiveState
from arena.services.bots.declared import OpenBot, declare
from arena.services.live import models, noted, outside, presence, tables
from arena.services.live.models import ModelRow
from arena.services.live.noted import MoveNote, MoveNoteDetail
from arena.services.live.notes import Note
from arena.services.live.outside import LONGEST, NewLiveTable, OutsideSeats
from arena.services.live.presence import OutsidePage, Ready
from arena.services.live.tables import LiveSeatView
from arena.services.people.keys import Scope
from arena.words import _
from web.api import PREFIX
from web.api.operations import Nothing, Resource
from web.api.types.base import Part, made, says
from web.serving.limits import limit, uploader
from web.serving.session import arena, member, viewer
from web.serving.waiting import mark, wait, waits_again

resource = Resource("Seats", "Seats at tables for programs that run outside the arena.")

limit_tables = limit("tables of programs", "60 per minute; 1000 per hour", uploader)

PAUSE: Final = 1.0
"""Seconds after which a program asks again if the server cannot let it wait."""


BotName = Annotated[str, Meta(max_length=100, pattern=STORABLE, description="Name of your bot; empty for practice.")]


class NextQuery(Nothing):
    """Query of open questions."""

    after: Annotated[str, Meta(max_length=1000, pattern=STORABLE, description="Cursor of the last answer.")] = ""
    bot: BotName = ""
    wait: Annotated[float, Meta(ge=0, le=LONGEST, description="Seconds to wait for a new question.")] = 0.0


class TableQuery(Nothing):
    """Query of a table."""

    bot: BotName = ""


class Seats(OutsideSeats, frozen=True):
    """All open questions of your program, and tables that are over."""

    pause: Annotated[float, says("Seconds after which to ask again; 0 if the request could wait.")]


class OpenedTable(msgspec.Struct, frozen=True):
    """A table that was opened."""

    code: str
    link: Annotated[str, says("Its path in this API.")]
    page: Annotated[str, says("Path of its page for people.")]


class OutsideTable(Part):
    """A table of your program."""

    code: str
    variant: str
    state: LiveState
    seats: tuple[LiveSeatView, ...]
    seat: int | None
    moves: Annotated[int, says("Number of moves in whole steps so far.")]
    scores: tuple[int, ...] | None
    ranks: tuple[int, ...] | None
    problem: str | None


class Declared(msgspec.Struct, frozen=True):
    """The version of a bot outside the arena that plays from now on."""

    bot_id: int
    version_id: int
    number: Annotated[int, says("Number of the version.")]
    link: Annotated[str, says("Path of the bot in this API.")]
    page: Annotated[str, says("Path of the bot's page.")]


class Readiness(msgspec.Struct, frozen=True):
    """How long an offer to play holds."""

    seconds: Annotated[float, says("Seconds without a request after which the bot gets no further tables.")]


class Move(Input):
    """A move."""

    number: Annotated[Number, says("Number of the question that it answers.")]
    action: Annotated[Text, says("One of the legal actions.")]
    bot: BotName = ""
    note: Annotated[Note | None, says("What a language model was asked and answered for it.")] = None


@resource.get("/seats/next", Scope.READ, shared=False, busy=True)
def get_questions(query: NextQuery) -> Seats:
    """Return all open questions of your program, as soon as one is new since the cursor.

    The answer holds everything that is needed to go on: a program that has lost its state asks without a cursor.
    """
    person, before = outside.person_of(arena(), member(), query.bot), mark(query.wait)
    found = outside.look(arena(), person, query.after)
    answered = not query.wait or outside.is_new(found, query.after)
    waits = not answered and wait(person.key, before, query.wait)
    return made(Seats, found, pause=0.0 if answered or waits or waits_again() else PAUSE)


@resource.post("/live-tables", Scope.UPLOAD, creates=True, limits=(limit_tables,))
def open_table(body: NewLiveTable) -> OpenedTable:
    """Open a table for practice, at which your program plays with bots. Its results are not rated."""
    code = outside.open_table(arena(), member(), body)
    return OpenedTable(code, f"{PREFIX}/live-tables/{code}", f"/play/{code}")


@resource.get("/live-tables/{code}", Scope.READ, shared=False)
def get_live_table(code: str, query: TableQuery) -> OutsideTable:
    """Return a table of your program."""
    found = tables.look(arena(), outside.person_of(arena(), member(), query.bot), code)
    if found.seat is None:
        raise NotFound(_("Your program has no such table."))
    return made(OutsideTable, found)


@resource.post("/live-tables/{code}/moves", Scope.UPLOAD, busy=True)
def make_move(code: str, body: Move) -> None:
    """Make a move. The same move again changes nothing; a refusal names the legal actions and costs only time."""
    person = outside.person_of(arena(), member(), body.bot)
    tables.move(arena(), person, code, body.number, body.action, body.note)


@resource.get("/live-tables/{code}/notes", shared=False)
def list_notes(code: str) -> list[MoveNote]:
    """List the notes of a table: until the match is over, only for the member whose program plays there."""
    return list(noted.rows(arena(), viewer(), code))


@resource.get("/live-tables/{code}/notes/{number}", shared=False)
def get_note(code: str, number: int) -> MoveNoteDetail:
    """Return what a language model was asked and answered for a move."""
    return noted.note(arena(), viewer(), code, number)


@resource.get("/models")
def list_models() -> list[ModelRow]:
    """List language models by variant: their points, and what they cost."""
    return list(models.models(arena()))


@resource.post("/open-bots", Scope.UPLOAD, creates=True, limits=(limit_tables,))
def declare_bot(body: OpenBot) -> Declared:
    """Declare what runs as a bot outside the arena. A new version is made unless the latest one says the same."""
    made = declare(arena(), member(), body)
    return Declared(made.bot_id, made.version_id, made.number, f"{PREFIX}/bots/{made.bot_id}", f"/bots/{made.bot_id}")


@resource.get("/open-bots/{bot_id}")
def get_open_bot(bot_id: int) -> OutsidePage:
    """Return how a bot outside the arena plays: whether it is ready, its tables at play, and the times of its moves."""
    return presence.page_of(arena(), bot_id)


@resource.post("/seats/ready", Scope.UPLOAD, limits=(limit_tables,))
def be_ready(body: Ready) -> Readiness:
    """Let a bot outside the arena play rated tables. Requests for its questions renew this."""
    return Readiness(presence.offer(arena(), member(), body))
