"""Two versions of a bot side by side."""

from typing import Annotated

from arena.services.numbers.crosstables import Contender
from arena.services.versions.diffs import DiffLine
from arena.services.versions.views import Numbered, Ratings, SharedOpponent, VersionPair
from web.api.types.base import Part, Uncertain, each, made, of, says
from web.api.types.numbers import Met
from web.api.types.ratings import Rating


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
