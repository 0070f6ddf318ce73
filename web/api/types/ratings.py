"""Ratings, leaderboards and histories of ratings."""

from typing import Annotated

from arena.services.ratings.views import Board, Placed, RatingRow
from web.api.types.base import Part, Time, Uncertain, made, of, says


class Rating(RatingRow, frozen=True):
    """Rating of a version in a variant."""

    mu: Annotated[Uncertain, says("Estimated skill.")]  # type: ignore[assignment]  # programs get its interval


class Leader(Placed, frozen=True):
    """A bot on a leaderboard."""

    mu: Annotated[Uncertain, says("Estimated skill.")]
    points: Annotated[
        Uncertain | None,
        of("strength"),
        says("Strength in game points above the average seat; null if the variant has none, or before the first fit."),
    ]


class Leaderboard(Part):
    """A part of a leaderboard."""

    variant: str
    rated: Annotated[int, says("Number of bots on the leaderboard, without any search.")]
    since: Annotated[Time | None, says("Time that places are compared with; null if no earlier places are known.")]
    items: Annotated[tuple[Leader, ...], of("listed.rows")]
    next: Annotated[str | None, says("Cursor of the next part; null if there is none.")]


class RatedTable(Part):
    """Rating of a version after one of its tables."""

    tables: Annotated[int, says("Number of its rated tables so far.")]
    mu: Uncertain
    sigma: float


class History(Part):
    """Ratings of a version after each of its latest tables in a variant."""

    version: Annotated[int, says("Number of the version.")]
    points: Annotated[tuple[RatedTable, ...], says("Oldest first.")]


def leaderboard(variant: str, board: Board, following: str | None) -> Leaderboard:
    """Return a part of a leaderboard; `following` is the cursor of the next part."""
    return made(Leaderboard, board, variant=variant, next=following)
