"""Pages of ratings: the leaderboard, and the history of a version's rating."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import Bot, CurrentRating, RatingEvent, User, VariantScore, Version
from arena.services.base.context import Arena
from arena.services.ratings import strengths
from arena.services.ratings.views import LeaderRow, Rated, RatingRow, VersionHistory
from arena.tournament.standings import ranks
from arena.tournament.strength import Strength

MOST_POINTS: Final = 2_000
"""Maximum number of tables in the history of a bot."""
MOST_VERSIONS: Final = 40
"""Maximum number of versions in the history of a bot."""


def history(arena: Arena, variant: str, *, bot_id: int = 0, version_id: int = 0) -> list[VersionHistory]:
    """Return the history of the rating of each version of a bot, or of one version, oldest version first.

    Limited to the latest `MOST_POINTS` tables of the latest `MOST_VERSIONS` versions that have a rating.
    """
    which = Version.bot_id == bot_id if bot_id else Version.id == version_id
    with arena.reading() as session:
        versions = session.execute(
            select(Version.id, Version.number)
            .join(CurrentRating, CurrentRating.version_id == Version.id)
            .where(CurrentRating.variant == variant, which)
            .order_by(Version.number.desc())
            .limit(MOST_VERSIONS)
        ).all()
        found: list[VersionHistory] = []
        left = MOST_POINTS
        for version, number in versions:
            points = _points(session, variant, version, left)
            left -= len(points)
            found += [VersionHistory(number, points)] if points else []
        return found[::-1]


def leaders(session: Session, variant: str, count: int | None = None) -> list[LeaderRow]:
    """Return the first `count` rows of the leaderboard, or all."""
    # Columns, not objects: a Version object would load its long report.
    found: Sequence[Any] = session.execute(
        select(
            Bot.id, Bot.name, User.name, Version.id, Version.number,
            CurrentRating.mu, CurrentRating.sigma, CurrentRating.tables, CurrentRating.matches,
            VariantScore.faults, VariantScore.strength, VariantScore.reach,
        )
        .select_from(CurrentRating)
        .join(Version, Version.id == CurrentRating.version_id)
        .join(Bot, Bot.active_version_id == Version.id)
        .join(User, User.id == Bot.owner_id)
        .outerjoin(VariantScore, _same_version())
        .where(CurrentRating.variant == variant, Bot.available)
        .order_by((CurrentRating.mu - 3 * CurrentRating.sigma).desc(), Bot.id)
        .limit(count)
    ).all()  # fmt: skip
    order = ranks([ratings.Rating(row.mu, row.sigma).conservative for row in found])
    return [_leader(variant, rank, *row) for rank, row in zip(order, found, strict=True)]


def ranked(session: Session, variant: str) -> int:
    """Return the number of bots on the leaderboard."""
    rated = select(func.count()).select_from(CurrentRating).join(Bot, Bot.active_version_id == CurrentRating.version_id)
    return session.scalars(rated.where(CurrentRating.variant == variant, Bot.available)).one()


def current(session: Session, version_ids: Iterable[int]) -> dict[int, list[RatingRow]]:
    """Return the current ratings of these versions, one per variant, by version ID."""
    found: dict[int, list[RatingRow]] = {}
    query = (
        select(CurrentRating, func.coalesce(VariantScore.faults, 0))
        .outerjoin(VariantScore, _same_version())
        .where(CurrentRating.version_id.in_(list(version_ids)))
        .order_by(CurrentRating.variant)
    )
    for rating, faults in session.execute(query):
        found.setdefault(rating.version_id, []).append(_row(rating, faults))
    return found


def _row(rating: CurrentRating, faults: int) -> RatingRow:
    value = ratings.Rating(rating.mu, rating.sigma)
    return RatingRow(
        rating.variant, *value, value.conservative, rating.tables, rating.matches, value.provisional, faults
    )


def _same_version() -> ColumnElement[bool]:
    return and_(VariantScore.variant == CurrentRating.variant, VariantScore.version_id == CurrentRating.version_id)


def _leader(
    variant: str, rank: int, bot_id: int, bot: str, owner: str, version_id: int, version: int,
    mu: float, sigma: float, tables: int, matches: int, faults: int | None,
    strength: float | None, reach: float | None,
) -> LeaderRow:  # fmt: skip
    value = ratings.Rating(mu, sigma)
    return LeaderRow(
        rank=rank, bot_id=bot_id, bot=bot, owner=owner, version_id=version_id, version=version, mu=value.mu,
        sigma=value.sigma, conservative=value.conservative, tables=tables, matches=matches,
        provisional=value.provisional, faults=faults or 0, risen=None, uploaded=None,
        strength=None if strength is None else strengths.game_points(variant, Strength(strength, reach)),
    )  # fmt: skip


def _points(session: Session, variant: str, version_id: int, most: int) -> list[Rated]:
    """Return the ratings of a version after each of its latest `most` tables, oldest first."""
    latest = (
        select(RatingEvent.tables, RatingEvent.mu, RatingEvent.sigma)
        .where(RatingEvent.variant == variant, RatingEvent.version_id == version_id)
        .order_by(RatingEvent.table_id.desc())
        .limit(most)
    )
    return [Rated(*row) for row in session.execute(latest)][::-1]
