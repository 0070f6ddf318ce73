"""Two versions of a bot side by side."""

from typing import Annotated

from arena.services.numbers.crosstables import Contender
from arena.services.versions.diffs import DiffLine, FileDiff
from arena.services.versions.views import Numbered, Ratings, SharedOpponent, VersionPair
from web.api.types.base import Part, Uncertain, made, says
from web.api.types.numbers import Met, met, met_or_none
from web.api.types.ratings import Rating, rating_or_none


class PairRatings(Part):
    """Ratings of both versions in a variant."""

    variant: str
    a: Rating | None
    b: Rating | None
    difference: Annotated[Uncertain | None, says("Rating of b minus that of a; null unless both have one.")]
    met: Annotated[Met | None, says("Points of b against a at tables that both played at.")]


class CommonOpponent(Part):
    """An opponent that both versions have met."""

    opponent: Contender
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
    met_both = (CommonOpponent(opponent=one.name, a=met(one.a), b=met(one.b)) for one in opponents)
    return made(
        VersionResults,
        pair,
        ratings=tuple(map(_ratings, rows)),
        opponents=tuple(met_both),
    )


def diff_file(one: FileDiff) -> DiffFile:
    """Return a file that differs."""
    return made(DiffFile, one)


def _ratings(row: Ratings) -> PairRatings:
    found = row.difference
    difference = found and Uncertain(value=found.mean, low=found.low, high=found.high, confidence=0.95)
    return PairRatings(
        variant=row.variant,
        a=rating_or_none(row.a),
        b=rating_or_none(row.b),
        difference=difference,
        met=met_or_none(row.met),
    )
