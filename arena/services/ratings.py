"""Ratings as people read them: the leaderboard, and how a version got where it is."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena import ratings
from arena.db.models import Bot, Rating, RatingEvent, Table, Tournament, User, Version
from arena.services.context import Arena
from arena.services.shapes import LeaderRow, RatingPoint, RatingRow
from arena.tournament.standings import ranks


def leaderboard(arena: Arena, variant: str) -> list[LeaderRow]:
    """The active versions of active bots by mu - 3 sigma, best first."""
    with arena.reading() as session:
        return leaders(session, variant)


def history(arena: Arena, version_id: int, variant: str) -> list[RatingPoint]:
    """A version's rating after each of its tables, in the order of rating."""
    with arena.reading() as session:
        events = session.execute(
            select(RatingEvent, Tournament.id, Tournament.name)
            .join(Table, Table.id == RatingEvent.table_id)
            .join(Tournament, Tournament.id == Table.tournament_id)
            .where(RatingEvent.variant == variant, RatingEvent.version_id == version_id)
            .order_by(RatingEvent.table_id, RatingEvent.revision)
        )
        # Later revisions overwrite earlier ones in their place.
        valid = {event.table_id: _point(event, tournament, name) for event, tournament, name in events}
    return list(valid.values())


def leaders(session: Session, variant: str, count: int | None = None) -> list[LeaderRow]:
    """The leaderboard, or so many of its first."""
    # Columns, not objects: a version brings a long report with it.
    found = session.execute(
        select(
            Bot.id, Bot.name, User.name, Version.id, Version.number,
            Rating.mu, Rating.sigma, Rating.tables, Rating.matches,
        )
        .select_from(Rating)
        .join(Version, Version.id == Rating.version_id)
        .join(Bot, Bot.active_version_id == Version.id)
        .join(User, User.id == Bot.owner_id)
        .where(Rating.variant == variant, Bot.active)
        .order_by((Rating.mu - 3 * Rating.sigma).desc(), Bot.id)
        .limit(count)
    ).all()  # fmt: skip
    order = ranks([ratings.Rating(row.mu, row.sigma).conservative for row in found])
    return [_leader(rank, *row) for rank, row in zip(order, found, strict=True)]


def current(session: Session, version_ids: Iterable[int]) -> dict[int, list[RatingRow]]:
    """The current ratings of these versions, by version, one per variant."""
    query = select(Rating).where(Rating.version_id.in_(list(version_ids))).order_by(Rating.variant)
    found: dict[int, list[RatingRow]] = {}
    for rating in session.scalars(query):
        found.setdefault(rating.version_id, []).append(row(rating))
    return found


def row(rating: Rating) -> RatingRow:
    """A rating as pages show it."""
    value = ratings.Rating(rating.mu, rating.sigma)
    return RatingRow(rating.variant, *value, value.conservative, rating.tables, rating.matches, value.provisional)


def _leader(
    rank: int, bot_id: int, bot: str, owner: str, version_id: int, version: int,
    mu: float, sigma: float, tables: int, matches: int,
) -> LeaderRow:  # fmt: skip
    value = ratings.Rating(mu, sigma)
    return LeaderRow(
        rank, bot_id, bot, owner, version_id, version, *value, value.conservative, tables, matches, value.provisional
    )


def _point(event: RatingEvent, tournament_id: int, tournament: str) -> RatingPoint:
    value = ratings.Rating(event.mu, event.sigma)
    return RatingPoint(event.table_id, tournament_id, tournament, event.rank, *value, value.conservative)
