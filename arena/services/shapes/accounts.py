"""Users, and what they are told."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Account:
    """A user."""

    id: int
    name: str
    is_admin: bool
    stamp: str = field(default="", compare=False, repr=False)
    """Changes with the password: a session that was begun under an older one is over."""


@dataclass(frozen=True)
class NoticeRow:
    """Something that a user should know."""

    id: int
    text: str
    tournament_id: int | None
    """The tournament that it is about."""
    tournament: str | None
    """Its name."""
    created: datetime
    seen: bool
