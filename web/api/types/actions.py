"""Types that operations share which write: parts of their bodies, and their answers."""

from typing import Annotated

import msgspec
from msgspec import Meta

from arena.services.base.inputs import Input, Text
from web.api import PREFIX

Cron = Annotated[Text, Meta(description="A cron expression, such as `0 18 * * FRI`.")]
Zone = Annotated[Text, Meta(description="Time zone, such as `Europe/London`.")]


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
