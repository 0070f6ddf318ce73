"""Streams of events: lines of JSON, or server-sent events.

Each answer has what is there, and ends: a client comes back with its cursor, as the browser's EventSource does by
itself after `RETRY`. So a stream holds no thread and no connection between two events, costs what a poll of a page's
live part costs, and survives restarts.
"""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from flask import Response, request
from msgspec import Meta

from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.events.log import MOST, EventRow
from web.api.operations import Resource
from web.api.problems import Problem, Wrong
from web.serving.session import arena, viewer

resource = Resource(
    "Events",
    "What happens in the arena, in order. Each event has a number; ask again with `after` and the last number that you "
    "have seen. A page may also use `EventSource`, which gets server-sent events and goes on by itself.",
)

LINES: Final = "application/x-ndjson"
STREAM: Final = "text/event-stream"
RETRY: Final = 8000
"""Milliseconds after which an EventSource asks again: as often as the live part of a page."""
HIGHEST: Final = 2**63 - 1


Kinds = Annotated[list[EventKind], Meta(description="Only these kinds of events.")]


class Query(msgspec.Struct, forbid_unknown_fields=True):
    """Which events are asked for."""

    after: Annotated[int, Meta(ge=0, le=HIGHEST, description="Number of the last event seen; 0 for all.")] | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST, description="Largest number of events.")] = MOST
    kinds: Kinds = msgspec.field(default_factory=list)


@resource.get("/events", media=LINES)
def list_events(query: Query) -> Response:
    """Return events after a cursor, one JSON object on each line.

    Public events need no token; with one, events of your own bots and account are included. With
    `Accept: text/event-stream` the answer has server-sent events, which begin with the present if there is no cursor.
    """
    return _answer(query)


@resource.get("/tournaments/{tournament_id}/events", media=LINES)
def list_tournament_events(tournament_id: int, query: Query) -> Response:
    """Return the events of a tournament after a cursor, like `/events`."""
    return _answer(query, tournament_id=tournament_id)


@resource.get("/bots/{bot_id}/events", media=LINES)
def list_bot_events(bot_id: int, query: Query) -> Response:
    """Return the events of a bot after a cursor, like `/events`."""
    return _answer(query, bot_id=bot_id)


def _answer(query: Query, tournament_id: int = 0, bot_id: int = 0) -> Response:
    streams = request.accept_mimetypes.best_match([LINES, STREAM]) == STREAM
    latest = log.newest(arena())
    cursor = _cursor(query)
    after = cursor if cursor is not None else latest if streams else 0
    which = {"tournament_id": tournament_id, "bot_id": bot_id}
    found = log.after(arena(), viewer(), after, query.limit, kinds=query.kinds, **which)
    if streams:
        # Nothing that was published before `latest` was read is missing, so the next request can begin there.
        last = found[-1].number if len(found) == query.limit else max(latest, after)
        return Response(_streamed(found, last), content_type=STREAM, headers=_FRESH)
    body = b"".join(msgspec.json.encode(row) + b"\n" for row in found)
    return Response(body, content_type=LINES, headers=_FRESH)


_FRESH: Final = {"Cache-Control": "no-store"}


def _streamed(found: Sequence[EventRow], last: int) -> bytes:
    """Return server-sent events. The end has the cursor even if there are none, so that nothing is searched twice."""
    events = [_block(row) for row in found]
    return f"retry: {RETRY}\n\n".encode() + b"".join(events) + f"id: {last}\n\n".encode()


def _block(row: EventRow) -> bytes:
    return f"id: {row.number}\nevent: {row.kind}\ndata: ".encode() + msgspec.json.encode(row) + b"\n\n"


def _cursor(query: Query) -> int | None:
    """Return the cursor of the request; that of a connection that comes again is newer than that of its address."""
    text = request.headers.get("Last-Event-ID", "")
    if not text:
        return query.after
    if not (text.isascii() and text.isdigit() and int(text[:20]) <= HIGHEST):
        wrong = "Last-Event-ID must be the number of an event."
        raise Problem("invalid", wrong, [Wrong("header.Last-Event-ID", wrong)])
    return int(text)
