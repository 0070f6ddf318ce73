"""Types that operations share which write: parts of their bodies, and their answers."""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from web.api import PREFIX
from web.api.inputs import STORABLE

Id = Annotated[int, Meta(ge=1, le=2**63 - 1)]
"""ID of a row."""
Number = Annotated[int, Meta(ge=-(10**9), le=10**9)]
"""A whole number whose bounds a service checks."""
Text = Annotated[str, Meta(max_length=1000, pattern=STORABLE)]
"""Text whose length a service checks."""
Time = Annotated[datetime, Meta(tz=True, description="A time in RFC 3339, such as 2030-01-31T18:00:00Z.")]
Cron = Annotated[Text, Meta(description="A cron expression, such as `0 18 * * FRI`.")]
Zone = Annotated[Text, Meta(description="Time zone, such as `Europe/London`.")]


class Input(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A body, form or query."""


class Reason(Input):
    """A reason for an action."""

    reason: Text


class Created(msgspec.Struct, frozen=True):
    """Something that was created."""

    id: int
    link: Annotated[str, Meta(description="Its path in this API.")]
    page: Annotated[str, Meta(description="Path of its page for people.")]


class Uploaded(msgspec.Struct, frozen=True):
    """A version that was uploaded; its validation is queued."""

    bot_id: int
    version_id: int
    number: Annotated[int, Meta(description="Number of the version.")]
    link: Annotated[str, Meta(description="Path of the version in this API; ask it for the result.")]
    page: Annotated[str, Meta(description="Path of the bot's page.")]


class Count(msgspec.Struct, frozen=True):
    """Number of things that an action changed."""

    count: int


def created(noun: str, id: int, page: str = "") -> Created:
    """Return what was created, by the noun in its paths; `page` is the noun of its page if that is another."""
    return Created(id, f"{PREFIX}/{noun}/{id}", f"/{page or noun}/{id}")
