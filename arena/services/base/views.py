"""Views: what services return about rows. A view that is published is its own type in the API.

A published view has no field that programs must not see; what only pages need is in a view that extends it.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Meta

from arena.services.base.times import moment

V = TypeVar("V")

Time = Annotated[datetime, Meta(tz=True)]
"""A time in UTC; in the API in RFC 3339."""


class View(msgspec.Struct, frozen=True, gc=False):
    """A view or a part of one: a tree, so the garbage collector need not look at its thousands of parts."""


def says(description: str) -> Meta:
    """Return the description of a field."""
    return Meta(description=description)


def view_of(kind: Callable[..., V], row: object, /, **more: Any) -> V:
    """Return a view of a row: its attributes with the names of the view's fields, and the fields `more`.

    Times of the database are converted.
    """
    own = {name: getattr(row, name) for name in _fields(kind) if name not in more}
    times = {name: moment(value) for name, value in own.items() if value is not None and _fields(kind)[name]}
    return kind(**own | times, **more)


@cache
def _fields(kind: Callable[..., Any]) -> dict[str, bool]:
    """Return the fields of a view, and whether each is a time."""
    return {name: datetime in (hint, *get_args(hint)) for name, hint in get_type_hints(kind).items()}
