"""The featured match: the most interesting of the latest matches."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import RatingEvent
from arena.ratings import Rating
from arena.services.base.context import Arena
from arena.services.ratings import pages as ratings
from arena.services.tables import matches
from arena.services.tables.views import MatchRow
from arena.tournament.interest import Interest, Player, Reason, interest

WINDOW: Final = 300
"""Number of latest matches from which the featured match is chosen."""
HISTORY: Final = 100
"""Number of a leader's latest tables among which the one that put it on top is searched."""
AGEING: Final = 0.5
"""Interest that the oldest match of the window loses against the latest."""


class _Rise(NamedTuple):
    """The table that put the leader of a variant on top."""

    table_id: int
    version_id: int


@dataclass(frozen=True)
class Featured:
    """The featured match."""

    match: MatchRow
    reason: Reason


def featured(arena: Arena) -> Featured | None:
    """Return the most interesting of the latest matches; None if none is finished."""
    with arena.reading() as session:
        latest = matches.latest(session, WINDOW)
        rated = _rated(session, latest)
        rises = {variant: _rise(session, variant) for variant in {match.variant for match in latest}}
        judged = [_interest(match, rated, rises[match.variant]) for match in latest]
    worth = [one.value - AGEING * age / WINDOW for age, one in enumerate(judged)]
    best = max(range(len(worth)), key=worth.__getitem__, default=None)
    return None if best is None else Featured(latest[best], judged[best].reason)


def _interest(match: MatchRow, rated: Mapping[tuple[str, int], float], rise: _Rise | None) -> Interest:
    """Return the interest of a match; none if a bot failed, because the arena played for it from then on."""
    if any(seat.fault for seat in match.seats):
        return interest([])
    # One player per version: in a partnership variant a version fills two seats.
    players = {
        seat.version_id: Player(seat.score, seat.rank, rated.get((match.variant, seat.version_id)))
        for seat in match.seats
    }
    return interest(list(players.values()), new_leader=rise is not None and _won(match, rise))


def _won(match: MatchRow, rise: _Rise) -> bool:
    """Return whether the new leader won this match of the table that put it on top."""
    winners = {seat.version_id for seat in match.seats if seat.rank == 1}
    return match.table_id == rise.table_id and rise.version_id in winners


def _rated(session: Session, played: Iterable[MatchRow]) -> dict[tuple[str, int], float]:
    """Return mu by variant and version, for ratings that are not provisional."""
    versions = {seat.version_id for match in played for seat in match.seats}
    found = ratings.current(session, versions)
    return {(row.variant, id): row.mu for id, rows in found.items() for row in rows if not row.provisional}


def _rise(session: Session, variant: str) -> _Rise | None:
    """Return how the leader of a variant got ahead of the bot that is second now; None if that is too long ago."""
    leaders = ratings.leaders(session, variant, 2)
    if len(leaders) < 2:
        return None
    first, second = leaders
    events = session.execute(
        select(RatingEvent.table_id, RatingEvent.mu, RatingEvent.sigma)
        .where(RatingEvent.variant == variant, RatingEvent.version_id == first.version_id)
        .order_by(RatingEvent.table_id.desc())
        .limit(HISTORY)
    )
    worth = [(table, Rating(mu, sigma).conservative) for table, mu, sigma in events]
    crossed = (table for (table, now), (_, before) in pairwise(worth) if before <= second.conservative < now)
    table_id = next(crossed, None)
    return None if table_id is None else _Rise(table_id, first.version_id)
