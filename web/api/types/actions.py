"""Answers of operations that create something."""

from typing import Annotated

import msgspec
from msgspec import Meta

from web.api import PREFIX


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


def created(noun: str, id: int) -> Created:
    """Return what was created, by the noun in its paths."""
    return Created(id, f"{PREFIX}/{noun}/{id}", f"/{noun}/{id}")
