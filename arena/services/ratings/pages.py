"""Pages of ratings: the leaderboard, and the history of a version's rating."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, func, select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import Bot, CurrentRating, RatingEvent, Table, Tournament, User, VariantScore, Version
from arena.services.base.context import Arena
from arena.services.ratings import strengths
from arena.services.ratings.views import LeaderRow, RatingPoint, RatingRow
from arena.tournament.standings import ranks
from arena.tournament.strength import Strength


def leaderboard(arena: Arena, variant: str) -> list[LeaderRow]:
    """Return the active versions of active bots by mu - 3 sigma, best first."""
    with arena.reading() as session:
        return leaders(session, variant)


def history(arena: Arena, version_id: int, variant: str) -> list[RatingPoint]:
    """Return a version's rating after each of its tables, in the order of rating."""
    with arena.reading() as session:
        events = session.execute(
            select(RatingEvent, Tournament.id, Tournament.name)
            .join(Table, Table.id == RatingEvent.table_id)
            .join(Tournament, Tournament.id == Table.tournament_id)
            .where(RatingEvent.variant == variant, RatingEvent.version_id == version_id)
            .order_by(RatingEvent.table_id)
        )
        return [_point(event, tournament, name) for event, tournament, name in events]


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
        rank, bot_id, bot, owner, version_id, version, *value, value.conservative, tables, matches, value.provisional,
        faults or 0,
        None if strength is None else strengths.game_points(variant, Strength(strength, reach)),
    )  # fmt: skip


def _point(event: RatingEvent, tournament_id: int, tournament: str) -> RatingPoint:
    value = ratings.Rating(event.mu, event.sigma)
    return RatingPoint(event.table_id, tournament_id, tournament, event.rank, *value, value.conservative)
