"""Bots and their versions."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from arena.services.shapes.matches import MatchRow
from arena.services.shapes.ratings import RatingRow


@dataclass(frozen=True)
class VersionRef:
    """Where an upload went."""

    bot_id: int
    version_id: int
    number: int


@dataclass(frozen=True)
class Source:
    """What was uploaded, as it came."""

    filename: str
    """A name to keep it under."""
    data: bytes


@dataclass(frozen=True)
class Report:
    """What validation found. For the bot's owner and admins only."""

    stage: str
    """``load``, ``self-play``, ``house`` (a match against house bots), ``arena`` (the machinery failed) or ``done``."""
    message: str
    """One sentence or more for the author."""
    line: int | None = None
    """The line of the bot's file, where one is known."""
    traceback: str = ""
    output: str = ""
    """What the bot printed."""
    move: int | None = None
    """The index of the match's move at which it failed."""
    view: dict[str, Any] | None = None
    """The view that it was sent for that move."""
    file: str = ""
    """The file that the line is in, where the bot has several."""


class FileRow(NamedTuple):
    """A file of an archive."""

    name: str
    size: int
    """Bytes, unpacked."""


@dataclass(frozen=True)
class VersionRow:
    """One upload, as the bot's page lists it."""

    id: int
    number: int
    state: str
    created: datetime
    sha256: str
    size: int
    """Bytes of the source."""
    games: tuple[str, ...] | None
    """Ids of the games it declares; None where it declares none (it plays every game) or is not loaded yet."""
    active: bool
    """Whether new tournaments take this version."""
    report: Report | None
    """None for everybody but the owner and admins."""
    files: tuple[FileRow, ...] | None
    """Of an archive; None for a single module, and for everybody but the owner and admins."""


@dataclass(frozen=True)
class BotRow:
    """A bot in a list."""

    id: int
    name: str
    owner: str
    active: bool
    version: int | None
    """Number of the version that tournaments take; None where no version is valid yet."""
    latest_state: str
    """State of the latest upload."""
    versions: int
    created: datetime
    rating: RatingRow | None
    """Of the active version, in the first variant of its placement in which there is one."""


@dataclass(frozen=True)
class BotPage:
    """Everything about one bot."""

    id: int
    name: str
    owner: str
    active: bool
    mine: bool
    """Whether the viewer owns it (or is an admin): then reports are complete."""
    created: datetime
    versions: tuple[VersionRow, ...]
    """Latest first."""
    ratings: tuple[RatingRow, ...]
    """Of the active version, one per variant."""
    matches: tuple[MatchRow, ...]
    """The latest, latest first."""


@dataclass(frozen=True)
class VersionStatus:
    """How far an upload has come; what a page polls."""

    bot_id: int
    bot: str
    version_id: int
    number: int
    state: str
    mine: bool
    report: Report | None
    rating: RatingRow | None
    """In the first variant of its placement in which there is one."""
    settled: bool
    """Whether nothing more will change by itself: no reason to ask again."""
