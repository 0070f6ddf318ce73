"""Two versions of a bot side by side."""

from typing import Annotated, Any

from arena.services.versions.diffs import FileDiff
from arena.services.versions.views import DecisionsPage, Ratings, SharedOpponent, VersionPair
from web.api.types.base import Part, Uncertain, each, made, says
from web.api.types.numbers import Contender, Met, contender, met, met_or_none
from web.api.types.ratings import Rating, rating_or_none


class Numbered(Part):
    """A version of the bot."""

    id: int
    number: int


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


class DiffLine(Part):
    """A line of a difference."""

    sign: Annotated[str, says("`-` if only a has it, `+` if only b has it, a space if both do.")]
    a: Annotated[int | None, says("Its number in a.")]
    b: Annotated[int | None, says("Its number in b.")]
    text: str


class DiffFile(Part):
    """A file that differs."""

    name: str
    state: Annotated[
        str, says("`added`, `removed`, `changed`, or `too long` if the files that differ have too many lines.")
    ]
    hunks: Annotated[tuple[tuple[DiffLine, ...], ...], says("Changed lines with equal lines around them.")]


class DecisionOf(Part):
    """Decision of a version."""

    action: str
    match_id: int
    move: Annotated[int, says("Index of the move in the match.")]


class DifferentDecision(Part):
    """A view that both versions had, and on which they decided differently."""

    phase: str
    view: dict[str, Any]
    a: DecisionOf
    b: DecisionOf


class Decisions(Part):
    """Decisions of two versions on equal views."""

    tables: Annotated[int, says("Number of tables read.")]
    views: Annotated[int, says("Number of views that both had.")]
    differing: Annotated[int, says("Number of views on which they decided differently.")]
    different: Annotated[tuple[DifferentDecision, ...], says("The first of them, the latest tables first.")]


def results(pair: VersionPair, rows: list[Ratings], opponents: list[SharedOpponent]) -> VersionResults:
    """Return the results of two versions."""
    met_both = (CommonOpponent(opponent=contender(one.name), a=met(one.a), b=met(one.b)) for one in opponents)
    return made(
        VersionResults,
        pair,
        a=made(Numbered, pair.a),
        b=made(Numbered, pair.b),
        variants=tuple(pair.variants),
        ratings=tuple(map(_ratings, rows)),
        opponents=tuple(met_both),
    )


def decisions(page: DecisionsPage) -> Decisions:
    """Return the decisions of two versions on equal views."""
    different = (
        made(DifferentDecision, one, view=dict(one.view), a=made(DecisionOf, one.a), b=made(DecisionOf, one.b))
        for one in page.different
    )
    return made(Decisions, page, different=tuple(different))


def diff_file(one: FileDiff) -> DiffFile:
    """Return a file that differs."""
    return made(DiffFile, one, hunks=tuple(each(DiffLine, hunk) for hunk in one.hunks))


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
