"""Bots and their versions."""

from typing import Annotated, Any

from arena.services.bots.views import BotPage, BotRow, VersionRow
from web.api.types.base import Part, of, says
from web.api.types.ratings import Rating


class Bot(BotRow, frozen=True):
    """A bot in a list."""

    rating: Annotated[Rating | None, says("Rating of the active version, in the first variant of its placement.")]


class VariantRating(Part):
    """A variant in which a bot is rated, or will be after its placement."""

    variant: str
    rating: Annotated[Rating | None, says("Rating of the active version; null before its first table.")]
    before: Annotated[Rating | None, of("before.rating"), says("Rating of the latest earlier version that has one.")]
    before_version: Annotated[int | None, of("before.version"), says("Number of that earlier version.")]


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


class Version(VersionRow, frozen=True):
    """A version of a bot."""

    report: Annotated[Report | None, says("Report of its validation; null unless you may see it.")]  # type: ignore[assignment]


class VersionDetail(Version, frozen=True):
    """A version and the progress of its upload."""

    bot_id: int
    bot: Annotated[str, says("Name of the bot.")]
    settled: Annotated[bool, says("Whether it has a verdict, and a rating unless none is to come.")]
    age: Annotated[float, says("Seconds since the upload.")]
    rating: Annotated[Rating | None, says("Rating in the first variant of its placement that has one.")]


class BotDetail(BotPage, frozen=True):
    """A bot."""

    versions: Annotated[tuple[Version, ...], says("All versions, newest first.")]
    ratings: Annotated[tuple[Rating, ...], says("Ratings of the active version, one per variant.")]
    variants: Annotated[  # type: ignore[assignment]
        tuple[VariantRating, ...], says("Variants of its placement, then others in which it is rated.")
    ]
