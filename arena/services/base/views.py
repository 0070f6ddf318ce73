"""Views: what services return about rows. A view that is published is its own type in the API.

A published view has no field that programs must not see; what only pages need is in a view that extends it.
"""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

Time = Annotated[datetime, Meta(tz=True)]
"""A time in UTC; in the API in RFC 3339."""


class View(msgspec.Struct, frozen=True, gc=False):
    """A view or a part of one: a tree, so the garbage collector need not look at its thousands of parts."""


def says(description: str) -> Meta:
    """Return the description of a field."""
    return Meta(description=description)
