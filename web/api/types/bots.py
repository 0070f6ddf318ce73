"""Bots and their versions, also two side by side."""

from typing import Annotated, Any

from arena.services.bots.views import BotPage, BotRow, VersionRow
from arena.services.numbers.crosstables import Contender
from arena.services.versions.diffs import DiffLine
from arena.services.versions.views import Numbered, Ratings, SharedOpponent, VersionPair
from web.api.types.base import Part, Uncertain, each, made, of, says
from web.api.types.numbers import Met
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


class PairRatings(Part):
    """Ratings of both versions in a variant."""

    variant: str
    a: Rating | None
    b: Rating | None
    difference: Annotated[Uncertain | None, says("Rating of b minus that of a; null unless both have one.")]
    met: Annotated[Met | None, says("Points of b against a at tables that both played at.")]


class CommonOpponent(Part):
    """An opponent that both versions have met."""

    opponent: Annotated[Contender, of("name")]
    a: Annotated[Met, says("Points of a against it.")]
    b: Met


class VersionResults(Part):
    """Results of two versions of a bot."""

    bot_id: int
    bot: str
    a: Numbered
    b: Numbered
    variants: Annotated[tuple[str, ...], says("Variants in which one of the two has a rating.")]
    ratings: tuple[PairRatings, ...]
    opponents: Annotated[tuple[CommonOpponent, ...], says("Opponents in the variant that both have met.")]


class DiffFile(Part):
    """A file that differs."""

    name: str
    state: Annotated[
        str, says("`added`, `removed`, `changed`, or `too long` if the files that differ have too many lines.")
    ]
    hunks: Annotated[tuple[tuple[DiffLine, ...], ...], says("Changed lines with equal lines around them.")]


def results(pair: VersionPair, rows: list[Ratings], opponents: list[SharedOpponent]) -> VersionResults:
    """Return the results of two versions."""
    return made(
        VersionResults, pair, ratings=tuple(each(PairRatings, rows)), opponents=tuple(each(CommonOpponent, opponents))
    )
