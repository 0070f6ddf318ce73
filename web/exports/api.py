"""Export of rated results: a cut of all of them at one moment, and the matches of its tables.

A cut is one transaction, so it is streamed; matches never change, so they are read part by part.
"""

from collections.abc import Generator, Iterator
from itertools import islice
from time import monotonic
from typing import Annotated, Final

import msgspec
from flask import Response, request
from msgspec import Meta

from arena.exchange.lines import Scope
from arena.services.base.context import Arena
from arena.services.base.inputs import STORABLE, Id
from arena.services.exchange.sources import MOST_TABLES, DatabaseSource
from web.api.operations import Resource
from web.api.variants import Variant
from web.base.shared import compressed
from web.serving.bodies import accepts_gzip, gzipped
from web.serving.downloads import counted
from web.serving.limits import limit, uploader
from web.serving.session import arena
from web.webhooks.events import LINES

resource = Resource(
    "Export",
    "All rated results, for researchers. `arena export --arena` writes them as files; docs/data.md describes the "
    "objects. A cut has all tables that count in ratings at one moment. Their matches are read afterwards: those of "
    "the attempt (`fence`) that the cut names.",
)

PATIENCE: Final = 300.0
"""Seconds to wait for the client during a cut, which holds a transaction open. Reading the results does not count."""
CHUNK: Final = 200
"""Number of lines that are sent together."""
HIGHEST: Final = 2**63 - 1

Word = Annotated[str, Meta(max_length=64, pattern=STORABLE)]


limit_cuts = limit("cuts", "6 per minute; 60 per hour", uploader, methods=("GET",))


class ScopeQuery(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Which results are asked for: all, unless a field is set."""

    tournament: Annotated[Id | None, Meta(description="Only this tournament.")] = None
    game: Annotated[Word | None, Meta(description="Only this game.")] = None
    variant: Annotated[Variant | None, Meta(description="Only this variant.")] = None

    @property
    def scope(self) -> Scope:
        """Scope of the export."""
        return Scope(self.tournament, self.game, self.variant)


class MatchesQuery(ScopeQuery):
    """Which matches are asked for."""

    after: Annotated[int, Meta(ge=0, le=HIGHEST, description="ID of the last table seen; 0 for all.")] = 0
    until: Annotated[int, Meta(ge=0, le=HIGHEST, description="ID of the last table wanted.")] = HIGHEST
    limit: Annotated[int, Meta(ge=1, le=MOST_TABLES, description="Largest number of tables.")] = MOST_TABLES


@resource.get("/export/cut", media=LINES, limits=(limit_cuts,))
def get_cut(query: ScopeQuery) -> Response:
    """Return all rated results at this moment but their matches, one JSON object on each line.

    The first line is the season: bots, tournaments, rating parameters and ratings. Then there is a line for each table
    that counts in ratings, in the order of their IDs; `tables` of the tournaments add up to their number.
    """
    found = _cut(arena(), query.scope)
    start = next(found)  # at once, so that its errors come in time
    packs = accepts_gzip(request.headers.get("Accept-Encoding", ""))
    response = Response(counted(_sent(start, found, packs)), content_type=LINES, headers={"Cache-Control": "no-store"})
    if packs:
        response.headers["Content-Encoding"] = "gzip"
    response.call_on_close(found.close)
    return response


@resource.get("/export/matches", media=LINES)
def list_attempts(query: MatchesQuery) -> Response:
    """Return the matches of rated tables with their records, one JSON object with an attempt at a table on each line.

    Tables come in the order of their IDs; ask again with `after` and the ID of the last one until there are none. A
    table that was played again has several attempts. Tables that do not count in ratings yet are included.
    """
    found = DatabaseSource(arena(), query.scope).attempts(query.after, query.until, query.limit)
    return compressed(Response(b"".join(map(_line, found)), content_type=LINES))


def _cut(here: Arena, scope: Scope) -> Generator[bytes, None, None]:
    """Yield the lines of a cut, some at a time, the first alone. Raises `TimeoutError` if the client is too slow."""
    waited = 0.0
    with DatabaseSource(here, scope).cut() as (season, tables):
        yield _line(season)
        while chunk := b"".join(map(_line, islice(tables, CHUNK))):
            began = monotonic()
            yield chunk
            waited += monotonic() - began
            if waited > PATIENCE:
                raise TimeoutError(f"a client took more than {PATIENCE:.0f} s to receive the cut of an export")


def _sent(start: bytes, rest: Iterator[bytes], packs: bool) -> Iterator[bytes]:
    return gzipped(_all(start, rest)) if packs else _all(start, rest)


def _all(start: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield start
    yield from rest


def _line(value: msgspec.Struct) -> bytes:
    return msgspec.json.encode(value) + b"\n"
