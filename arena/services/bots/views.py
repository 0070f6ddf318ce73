"""Views of bots and versions: rows of lists, pages, and reports of validation."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from arena.services.play.trial import Report
from arena.services.ratings.views import RatingRow
from arena.services.tables.views import MatchRow


@dataclass(frozen=True)
class VersionRef:
    """The version that an upload created."""

    bot_id: int
    version_id: int
    number: int


@dataclass(frozen=True)
class Source:
    """An uploaded file, unchanged."""

    filename: str
    """Name to save it under."""
    data: bytes


class FileRow(NamedTuple):
    """A file of an archive."""

    name: str
    size: int
    """Unpacked size, in bytes."""


@dataclass(frozen=True)
class VersionRow:
    """A version in the list on the bot's page."""

    id: int
    number: int
    state: str
    created: datetime
    sha256: str
    size: int
    """Size of the uploaded file, in bytes."""
    games: tuple[str, ...] | None
    """IDs of the games that it declares; None if it declares none, or is not loaded yet."""
    active: bool
    """Whether new tournaments enter this version."""
    pruned: bool
    """Whether its source was deleted, long after it was rejected."""
    report: Report | None
    """Report of its validation; None for viewers other than the team and admins."""
    files: tuple[FileRow, ...] | None
    """Files of an archive; None for a single module, and for viewers other than the team and admins."""


@dataclass(frozen=True)
class BotRow:
    """A bot in a list."""

    id: int
    name: str
    owner: str
    active: bool
    """Whether its owner lets new tournaments enter the bot."""
    barred: bool
    """Whether an administrator disabled it or its owner."""
    archived: bool
    version: int | None
    """Number of the version that tournaments enter; None if no version is valid yet."""
    latest_state: str
    """State of the latest version."""
    versions: int
    """Number of versions."""
    created: datetime
    uploaded: datetime
    """When its latest version was uploaded."""
    rating: RatingRow | None
    """Rating of the active version, in the first variant of its placement that has one."""


class EntrantRow(NamedTuple):
    """A bot that an organiser can enter in a tournament."""

    id: int
    name: str
    owner: str
    version: int
    """Number of the version that is entered."""


class TeamMember(NamedTuple):
    """A co-owner of a bot, or an account invited to be one."""

    user_id: int
    name: str
    since: datetime
    """When it was invited, or accepted."""
    accepted: bool
    """Whether it accepted the invitation."""


class TeamInvitation(NamedTuple):
    """An open invitation to own a bot together."""

    bot_id: int
    bot: str
    owner: str
    invited: datetime


class EarlierRating(NamedTuple):
    """The rating of an earlier version."""

    version: int
    """Number of the version."""
    rating: RatingRow


class VariantRow(NamedTuple):
    """A variant in which a bot is rated, or will be after its placement."""

    variant: str
    rating: RatingRow | None
    """Rating of the active version; None before its first table."""
    before: EarlierRating | None
    """Rating of the latest earlier version that has one."""


@dataclass(frozen=True)
class BotPage:
    """The page of a bot."""

    id: int
    name: str
    owner: str
    team: tuple[TeamMember, ...]
    """Its co-owners, and for the team and admins the open invitations."""
    active: bool
    """Whether its owner lets new tournaments enter the bot."""
    barred: bool
    """Whether an administrator disabled it or its owner."""
    disabled: str | None
    """Reason why an administrator disabled it; None if it is not, and for viewers other than the team and admins."""
    archived: datetime | None
    """When it was archived; None if it is not."""
    mine: bool
    """Whether the viewer belongs to the bot's team or is an admin, and so sees reports and files."""
    managed: bool
    """Whether the viewer is its owner or an admin, and so may rename, archive and delete it, and change its team."""
    joined: bool
    """Whether the viewer is a co-owner."""
    invited: bool
    """Whether the viewer is invited to its team."""
    deletable: bool
    """Whether it never played, so that its owner may delete it; false for other viewers."""
    created: datetime
    versions: tuple[VersionRow, ...]
    """All versions, newest first."""
    ratings: tuple[RatingRow, ...]
    """Ratings of the active version, one per variant."""
    variants: tuple[VariantRow, ...]
    """Variants of its placement, then all others in which a version is rated."""
    matches: tuple[MatchRow, ...]
    """Latest matches of all versions, newest first."""


@dataclass(frozen=True)
class VersionStatus:
    """Progress of an upload, which the bot's page polls."""

    bot_id: int
    bot: str
    version_id: int
    number: int
    state: str
    mine: bool
    """Whether the viewer belongs to the bot's team or is an admin."""
    report: Report | None
    """Report of the validation; None for viewers other than the team and admins."""
    rating: RatingRow | None
    """Rating in the first variant of its placement that has one."""
    settled: bool
    """Whether it has a verdict, and a rating unless none is to come."""
    age: float
    """Seconds since the upload."""
