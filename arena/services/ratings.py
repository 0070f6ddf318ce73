"""Ratings as people read them: the leaderboard, and how a version got where it is."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from arena import ratings
from arena.db.models import Bot, Rating, RatingEvent, Table, Tournament, Version
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


def leaders(session: Session, variant: str) -> list[LeaderRow]:
    """The leaderboard."""
    found = session.execute(
        select(Rating, Version)
        .join(Version, Version.id == Rating.version_id)
        .join(Bot, Bot.active_version_id == Version.id)
        .where(Rating.variant == variant, Bot.active)
        .options(joinedload(Version.bot).joinedload(Bot.owner))
    ).all()
    best = sorted(found, key=lambda pair: (-(pair[0].mu - 3 * pair[0].sigma), pair[1].bot_id))
    order = ranks([row(rating).conservative for rating, _ in best])
    return [_leader(rank, rating, version) for rank, (rating, version) in zip(order, best, strict=True)]


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


def _leader(rank: int, rating: Rating, version: Version) -> LeaderRow:
    shown = row(rating)
    return LeaderRow(
        rank=rank,
        bot_id=version.bot_id,
        bot=version.bot.name,
        owner=version.bot.owner.name,
        version_id=version.id,
        version=version.number,
        mu=shown.mu,
        sigma=shown.sigma,
        conservative=shown.conservative,
        tables=shown.tables,
        matches=shown.matches,
        provisional=shown.provisional,
    )


def _point(event: RatingEvent, tournament_id: int, tournament: str) -> RatingPoint:
    value = ratings.Rating(event.mu, event.sigma)
    return RatingPoint(event.table_id, tournament_id, tournament, event.rank, *value, value.conservative)
