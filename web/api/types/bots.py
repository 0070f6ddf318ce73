"""Bots and their versions."""

from collections.abc import Iterable
from typing import Annotated, Any

from arena.services.bots.views import BotPage, BotRow, TeamMember, VariantRow, VersionRow, VersionStatus
from web.api.types.base import Part, Time, each, made, says
from web.api.types.matches import Match, matches
from web.api.types.ratings import Rating, rating, rating_or_none


class Bot(Part):
    """A bot in a list."""

    id: int
    name: str
    owner: Annotated[str, says("Name of its owner.")]
    active: Annotated[bool, says("Whether its owner lets new tournaments enter it.")]
    barred: Annotated[bool, says("Whether an administrator disabled it or its owner.")]
    archived: bool
    version: Annotated[int | None, says("Number of the version that tournaments enter; null if none is valid yet.")]
    latest_state: Annotated[
        str, says("State of the latest version: `pending`, `valid`, `invalid`, `infra_failed` or `imported`.")
    ]
    versions: Annotated[int, says("Number of versions.")]
    created: Time
    uploaded: Annotated[Time, says("Time of the latest upload.")]
    rating: Annotated[Rating | None, says("Rating of the active version, in the first variant of its placement.")]


class Owner(Part):
    """A co-owner of a bot, or an account invited to be one."""

    user_id: int
    name: str
    since: Annotated[Time, says("When it was invited, or accepted.")]
    accepted: bool


class VariantRating(Part):
    """A variant in which a bot is rated, or will be after its placement."""

    variant: str
    rating: Annotated[Rating | None, says("Rating of the active version; null before its first table.")]
    before: Annotated[Rating | None, says("Rating of the latest earlier version that has one.")]
    before_version: Annotated[int | None, says("Number of that earlier version.")]


class Report(Part):
    """Report of a validation."""

    stage: Annotated[
        str, says("`load`, `self-play`, `house` (a match against house bots), `arena` (the arena failed) or `done`.")
    ]
    message: Annotated[str, says("Explanation for the author.")]
    line: Annotated[int | None, says("Line of the error in the bot's file, if known.")]
    file: Annotated[str, says("Name of the file that `line` is in, if the bot has several.")]
    traceback: str
    output: Annotated[str, says("Output that the bot printed.")]
    move: Annotated[int | None, says("Index of the match's move at which the bot failed.")]
    view: Annotated[dict[str, Any] | None, says("View that the bot was sent for that move.")]


class File(Part):
    """A file of an archive."""

    name: str
    size: Annotated[int, says("Unpacked size, in bytes.")]


class Version(Part):
    """A version of a bot."""

    id: int
    number: int
    state: Annotated[str, says("`pending`, `valid`, `invalid`, `infra_failed` or `imported`.")]
    created: Time
    sha256: Annotated[str, says("Hash of the uploaded file, in hexadecimal.")]
    size: Annotated[int, says("Size of the uploaded file, in bytes.")]
    games: Annotated[tuple[str, ...] | None, says("IDs of the games that it declares; null if it declares none.")]
    active: Annotated[bool, says("Whether new tournaments enter it.")]
    pruned: Annotated[bool, says("Whether its source was deleted, long after it was rejected.")]
    report: Annotated[Report | None, says("Report of its validation; null unless you may see it.")]
    files: Annotated[tuple[File, ...] | None, says("Files of an archive; null unless you may see them.")]


class VersionDetail(Version):
    """A version and the progress of its upload."""

    bot_id: int
    bot: Annotated[str, says("Name of the bot.")]
    settled: Annotated[bool, says("Whether it has a verdict, and a rating unless none is to come.")]
    age: Annotated[float, says("Seconds since the upload.")]
    rating: Annotated[Rating | None, says("Rating in the first variant of its placement that has one.")]


class BotDetail(Part):
    """A bot."""

    id: int
    name: str
    owner: Annotated[str, says("Name of its owner.")]
    team: Annotated[tuple[Owner, ...], says("Co-owners, and for the team the accounts that are invited.")]
    active: Annotated[bool, says("Whether its owner lets new tournaments enter it.")]
    barred: Annotated[bool, says("Whether an administrator disabled it or its owner.")]
    disabled: Annotated[str | None, says("Reason why an administrator disabled it; null unless you may see it.")]
    archived: Annotated[Time | None, says("When it was archived; null if it is not.")]
    created: Time
    mine: Annotated[bool, says("Whether you see its reports, files and output.")]
    managed: Annotated[bool, says("Whether you may rename, archive and delete it, and change its team.")]
    joined: Annotated[bool, says("Whether you are a co-owner.")]
    invited: Annotated[bool, says("Whether you are invited to its team.")]
    deletable: Annotated[bool, says("Whether it never played, so that you may delete it.")]
    versions: Annotated[tuple[Version, ...], says("All versions, newest first.")]
    ratings: Annotated[tuple[Rating, ...], says("Ratings of the active version, one per variant.")]
    variants: Annotated[tuple[VariantRating, ...], says("Variants of its placement, then others in which it is rated.")]
    matches: Annotated[tuple[Match, ...], says("Latest matches of all versions, newest first.")]


class TeamInvitation(Part):
    """An open invitation to own a bot together."""

    bot_id: int
    bot: str
    owner: str
    invited: Time


def bot(row: BotRow) -> Bot:
    """Return a bot of a list."""
    return made(Bot, row, rating=rating_or_none(row.rating))


def bots(rows: Iterable[BotRow]) -> tuple[Bot, ...]:
    """Return bots of a list."""
    return tuple(map(bot, rows))


def bot_detail(page: BotPage) -> BotDetail:
    """Return a bot, with what its viewer may see."""
    return made(
        BotDetail,
        page,
        team=team(page.team),
        versions=tuple(map(version, page.versions)),
        ratings=tuple(map(rating, page.ratings)),
        variants=tuple(map(_variant, page.variants)),
        matches=matches(page.matches),
    )


def team(members: Iterable[TeamMember]) -> tuple[Owner, ...]:
    """Return the members of a team."""
    return each(Owner, members)


def version(row: VersionRow) -> Version:
    """Return a version, with what its viewer may see."""
    return made(Version, row, **_private(row))


def version_detail(row: VersionRow, status: VersionStatus) -> VersionDetail:
    """Return a version and the progress of its upload."""
    own = {name: getattr(status, name) for name in ("bot_id", "bot", "settled", "age")}
    return made(VersionDetail, row, **own, **_private(row), rating=rating_or_none(status.rating))


def _private(row: VersionRow) -> dict[str, Any]:
    report = None if row.report is None else made(Report, row.report)
    return {"report": report, "files": None if row.files is None else each(File, row.files)}


def _variant(row: VariantRow) -> VariantRating:
    before = row.before
    return VariantRating(
        variant=row.variant,
        rating=rating_or_none(row.rating),
        before=None if before is None else rating(before.rating),
        before_version=None if before is None else before.version,
    )
