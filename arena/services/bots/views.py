"""Views of bots and versions: rows of lists, pages, and reports of validation."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from arena.services.base.views import Time, View, says
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


class FileRow(View, frozen=True):
    """A file of an archive."""

    name: str
    size: Annotated[int, says("Unpacked size, in bytes.")]


class Declaration(View, frozen=True):
    """Words of an author about a version of a bot outside the arena."""

    commit: Annotated[str, says("Commit or release that runs.")]
    model: Annotated[str, says("Language model that it asks, if any.")]
    cost: Annotated[str, says("What a match costs, in any unit.")]


class VersionRow(View, frozen=True):
    """A version of a bot."""

    id: int
    number: int
    state: Annotated[str, says("`pending`, `valid`, `invalid`, `infra_failed`, `imported` or `declared`.")]
    created: Time
    sha256: Annotated[str, says("Hash of the uploaded file, in hexadecimal.")]
    size: Annotated[int, says("Size of the uploaded file, in bytes.")]
    games: Annotated[tuple[str, ...] | None, says("IDs of the games that it declares; null if it declares none.")]
    active: Annotated[bool, says("Whether new tournaments enter it.")]
    pruned: Annotated[bool, says("Whether its source was deleted, long after it was rejected.")]
    report: Annotated[Report | None, says("Report of its validation; null unless you may see it.")]
    files: Annotated[tuple[FileRow, ...] | None, says("Files of an archive; null unless you may see them.")]
    declared: Annotated[Declaration | None, says("What runs outside the arena; null if the version was uploaded.")]


class BotRow(View, frozen=True):
    """A bot in a list."""

    id: int
    name: str
    owner: Annotated[str, says("Name of its owner.")]
    active: Annotated[bool, says("Whether its owner lets new tournaments enter it.")]
    barred: Annotated[bool, says("Whether an administrator disabled it or its owner.")]
    archived: bool
    version: Annotated[int | None, says("Number of the version that tournaments enter; null if none is valid yet.")]
    latest_state: Annotated[
        str,
        says("State of the latest version: `pending`, `valid`, `invalid`, `infra_failed`, `imported` or `declared`."),
    ]
    versions: Annotated[int, says("Number of versions.")]
    created: Time
    uploaded: Annotated[Time, says("Time of the latest upload.")]
    rating: Annotated[RatingRow | None, says("Rating of the active version, in the first variant of its placement.")]


class EntrantRow(NamedTuple):
    """A bot that an organiser can enter in a tournament."""

    id: int
    name: str
    owner: str
    version: int
    """Number of the version that is entered."""


class Owner(View, frozen=True):
    """A co-owner of a bot, or an account invited to be one."""

    user_id: int
    name: str
    since: Annotated[Time, says("When it was invited, or accepted.")]
    accepted: Annotated[bool, says("Whether it accepted the invitation.")]


class TeamInvitation(View, frozen=True):
    """An open invitation to own a bot together."""

    bot_id: int
    bot: str
    owner: str
    invited: Time


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


class BotPage(View, frozen=True):
    """A bot."""

    id: int
    name: str
    owner: Annotated[str, says("Name of its owner.")]
    division: Annotated[str, says("`caged` if it was uploaded, otherwise `quick` or `slow`.")]
    team: Annotated[tuple[Owner, ...], says("Co-owners, and for the team the accounts that are invited.")]
    active: Annotated[bool, says("Whether its owner lets new tournaments enter it.")]
    plays_people: Annotated[bool, says("Whether its owner lets people play with it.")]
    barred: Annotated[bool, says("Whether an administrator disabled it or its owner.")]
    disabled: Annotated[str | None, says("Reason why an administrator disabled it; null unless you may see it.")]
    archived: Annotated[Time | None, says("When it was archived; null if it is not.")]
    mine: Annotated[bool, says("Whether you see its reports, files and output.")]
    managed: Annotated[bool, says("Whether you may rename, archive and delete it, and change its team.")]
    joined: Annotated[bool, says("Whether you are a co-owner.")]
    invited: Annotated[bool, says("Whether you are invited to its team.")]
    deletable: Annotated[bool, says("Whether it never played, so that you may delete it.")]
    created: Time
    versions: Annotated[tuple[VersionRow, ...], says("All versions, newest first.")]
    ratings: Annotated[tuple[RatingRow, ...], says("Ratings of the active version, one per variant.")]
    variants: Annotated[tuple[VariantRow, ...], says("Variants of its placement, then others in which it is rated.")]
    matches: Annotated[tuple[MatchRow, ...], says("Latest matches of all versions, newest first.")]


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
