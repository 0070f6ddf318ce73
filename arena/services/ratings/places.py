"""Places on leaderboards in the past: noted once a day for a week, so that pages can show what changed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from arena.db.clock import now
from arena.db.models import PastPlaces, RatingCursor
from arena.db.upsert import insert_missing
from arena.services.base.context import Arena
from arena.services.base.pace import in_time
from arena.services.base.times import moment
from arena.services.ratings.pages import leaders

DAY: Final = 86400
KEPT: Final = 7
"""Number of days for which places are kept, besides today."""


class Past(NamedTuple):
    """A leaderboard of the past."""

    noted: datetime
    places: Mapping[int, int]
    """Place of each bot, by its ID."""


def note(arena: Arena) -> int:
    """Note today's places in each variant that lacks them, and delete old ones. Returns the number of variants."""
    with arena.reading() as session:
        today = _today(session)
        present = select(PastPlaces.variant).where(PastPlaces.day == today)
        due = session.scalars(select(RatingCursor.variant).where(RatingCursor.variant.not_in(present))).all()
    noted = 0
    for variant in in_time(due):
        with arena.transaction() as session:
            _note(session, variant, today)
        noted += 1
    return noted


def earliest(session: Session, variant: str) -> Past | None:
    """Return the earliest places of the last `KEPT` days; None if none are noted."""
    kept = (PastPlaces.variant == variant, PastPlaces.day >= _today(session) - KEPT)
    found = session.scalars(select(PastPlaces).where(*kept).order_by(PastPlaces.day).limit(1)).one_or_none()
    if found is None:
        return None
    return Past(moment(found.noted), {int(bot): place for bot, place in found.places.items()})


def _note(session: Session, variant: str, today: int) -> None:
    places = {str(row.bot_id): row.rank for row in leaders(session, variant)}
    insert_missing(session, PastPlaces, {"variant": variant, "day": today, "noted": now(), "places": places})
    session.execute(delete(PastPlaces).where(PastPlaces.variant == variant, PastPlaces.day < today - KEPT))


def _today(session: Session) -> int:
    return int(session.scalars(select(now())).one() // DAY)
