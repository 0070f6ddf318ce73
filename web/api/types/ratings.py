"""Ratings, leaderboards and histories of ratings."""

from collections.abc import Iterable
from typing import Annotated

from arena.services.ratings.views import Board, LeaderRow, Placed, RatingRow, VersionHistory
from web.api.types.base import Part, Time, Uncertain, estimated, made, normal, says


class Rating(RatingRow, frozen=True):
    """Rating of a version in a variant."""

    mu: Annotated[Uncertain, says("Estimated skill.")]  # type: ignore[assignment]  # programs get its interval


class Leader(Placed, frozen=True):
    """A bot on a leaderboard."""

    mu: Annotated[Uncertain, says("Estimated skill.")]
    points: Annotated[
        Uncertain | None,
        says("Strength in game points above the average seat; null if the variant has none, or before the first fit."),
    ]


class Leaderboard(Part):
    """A part of a leaderboard."""

    variant: str
    rated: Annotated[int, says("Number of bots on the leaderboard, without any search.")]
    since: Annotated[Time | None, says("Time that places are compared with; null if no earlier places are known.")]
    items: tuple[Leader, ...]
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


def rating(row: RatingRow) -> Rating:
    """Return a rating."""
    return made(Rating, row, mu=normal(row.mu, row.sigma))


def rating_or_none(row: RatingRow | None) -> Rating | None:
    """Return a rating, if there is one."""
    return None if row is None else rating(row)


def leader(row: LeaderRow) -> Leader:
    """Return a place on a leaderboard."""
    return made(Leader, row, mu=normal(row.mu, row.sigma), points=estimated(row.strength))


def leaders(rows: Iterable[LeaderRow]) -> tuple[Leader, ...]:
    """Return places on a leaderboard."""
    return tuple(map(leader, rows))


def leaderboard(variant: str, board: Board, following: str | None) -> Leaderboard:
    """Return a part of a leaderboard; `following` is the cursor of the next part."""
    return made(Leaderboard, board, variant=variant, items=leaders(board.listed.rows), next=following)


def history(one: VersionHistory) -> History:
    """Return the history of a version's rating."""
    points = (made(RatedTable, point, mu=normal(point.mu, point.sigma)) for point in one.points)
    return History(version=one.version, points=tuple(points))
