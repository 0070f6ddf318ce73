"""Changes of the bot that leads a leaderboard, which are events."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import RatingCursor, Version
from arena.services.base.context import Arena
from arena.services.events import log
from arena.services.events.kinds import EventKind
from arena.services.ratings.pages import leaders


def note_changes(arena: Arena) -> int:
    """Look at the leaderboards with new results, and note their new leaders. Returns the number looked at."""
    with arena.reading() as session:
        rated = select(RatingCursor.variant).where(RatingCursor.folded != RatingCursor.looked)
        variants = session.scalars(rated.order_by(RatingCursor.variant)).all()
    for variant in variants:
        with arena.transaction() as session:
            _look(session, variant)
    return len(variants)


def _look(session: Session, variant: str) -> None:
    cursor = session.get_one(RatingCursor, variant, with_for_update=True)
    cursor.looked = cursor.folded
    first = leaders(session, variant, 1)
    if first and first[0].bot_id != cursor.leader_id:
        if cursor.leader_id is not None:  # the first leader of a leaderboard is no news
            version = session.get_one(Version, first[0].version_id)
            log.note_version(session, EventKind.LEADER_CHANGED, version, variant=variant)
        cursor.leader_id = first[0].bot_id
