"""Lists of the API: their query, their form, and the cursors between their parts."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from arena.services.base.inputs import STORABLE
from arena.services.base.lists import SHOWN, Listed
from web.api.problems import Problem, Wrong

MOST: Final = 200
"""Largest number of items of one answer."""

Row = TypeVar("Row")
Item = TypeVar("Item")
Cursor = TypeVar("Cursor")

Limit = Annotated[int, Meta(ge=1, le=MOST, description="Number of items; a cursor keeps that of the first request.")]
Search = Annotated[str, Meta(max_length=32, pattern=STORABLE, description="A part of the name.")]


class Part(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Query of a list without filters."""

    limit: Limit = SHOWN
    cursor: Annotated[str, Meta(max_length=200, pattern=STORABLE, description="`next` of the answer before.")] = ""


class Items(msgspec.Struct, Generic[Item]):
    """A part of a list."""

    items: list[Item]
    next: Annotated[str | None, Meta(description="Cursor of the next part; null if there is none.")]


class Place(NamedTuple):
    """A part of a list that is cut into pages."""

    page: Annotated[int, Meta(ge=1, le=2**31)]
    """Number of the page, from 1."""
    size: Limit
    """Number of items on a page."""


def place(query: Part) -> Place:
    """Return which part of a list is asked for. Raises `Problem` for a cursor of another list."""
    return decoded(query.cursor, Place) if query.cursor else Place(1, query.limit)


def items(listed: Listed[Row], size: int) -> Items[Row]:
    """Return a page of a list as a part, with a cursor if there are more pages."""
    more = encoded(Place(listed.page + 1, size)) if listed.page < listed.pages else None
    return Items(list(listed.rows), more)


def items_of(kind: Callable[[Row], Item], listed: Listed[Row], size: int) -> Items[Item]:
    """Return a page of a list as a part whose items are made of its rows."""
    part = items(listed, size)
    return Items(list(map(kind, part.items)), part.next)


def following(found: Iterable[Row], limit: int, cursor: Callable[[Row], Any]) -> Items[Row]:
    """Return a part of a list that is read by the keys of its rows.

    `found` are up to `limit` + 1 rows after the cursor of the query; `cursor` returns the keys of a row.
    """
    rows = list(found)
    more = encoded(cursor(rows[limit - 1])) if len(rows) > limit else None
    return Items(rows[:limit], more)


def encoded(cursor: Any) -> str:
    """Return an opaque cursor."""
    return urlsafe_b64encode(msgspec.json.encode(cursor)).decode().rstrip("=")


def decoded(text: str, kind: type[Cursor]) -> Cursor:
    """Return what an opaque cursor holds. Raises `Problem` if it holds something else."""
    try:
        return msgspec.json.decode(urlsafe_b64decode(text + "=" * (-len(text) % 4)), type=kind)
    except (ValueError, msgspec.MsgspecError):
        wrong = "The cursor is not one that this list gave."
        raise Problem("invalid", wrong, [Wrong("query.cursor", wrong)]) from None
