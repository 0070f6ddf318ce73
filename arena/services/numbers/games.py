"""The page of a game: the leaders of its variants, and matches to watch."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from arena.db.models import Match, RatingEvent
from arena.services.base.context import Arena
from arena.services.ratings import pages as ratings
from arena.services.ratings.views import LeaderRow
from arena.services.tables import matches
from arena.services.tables.views import MatchRow

LEADERS: Final = 5
"""Number of bots shown for each variant."""
CHOICE: Final = 24
"""Maximum number of matches of a table among which the sample is chosen."""


@dataclass(frozen=True)
class GamePage:
    """Leaders, matches and variants of a game in this arena."""

    leaders: Mapping[str, tuple[LeaderRow, ...]]
    """First rows of the leaderboard of each variant; empty if no bot has a rating in it."""
    matches: tuple[MatchRow, ...]
    """A match to watch of each variant that has been played."""


def game_page(arena: Arena, variants: Iterable[str]) -> GamePage:
    """Return the page of the game with these variants."""
    with arena.reading() as session:
        leaders = {variant: tuple(ratings.leaders(session, variant, LEADERS)) for variant in variants}
        samples = [_sample(session, variant, rows[0].version_id) for variant, rows in leaders.items() if rows]
        return GamePage(leaders, tuple(sample for sample in samples if sample))


def _sample(session: Session, variant: str, version_id: int) -> MatchRow | None:
    """Return the closest match of the latest table of a version, preferably one without faults."""
    latest = select(func.max(RatingEvent.table_id)).where(
        RatingEvent.variant == variant, RatingEvent.version_id == version_id
    )
    played = (Match.table_id == latest.scalar_subquery(), Match.superseded.is_(False))
    ids = session.scalars(select(Match.id).where(*played).order_by(Match.seating).limit(CHOICE)).all()
    return min(matches.rows(session, ids), key=_dullness, default=None)


def _dullness(match: MatchRow) -> tuple[bool, int]:
    """Return a key that is lowest for a match without faults whose best scores are close."""
    best, *others = sorted((seat.score for seat in match.seats), reverse=True)
    return any(seat.fault for seat in match.seats), best - max(others, default=best)
