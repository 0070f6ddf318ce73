"""The tables, one file per noun."""

from arena.db.base import Base
from arena.db.models.bots import Bot, Version
from arena.db.models.matches import Match, MatchSeat
from arena.db.models.ratings import Rating, RatingCursor, RatingEvent
from arena.db.models.tables import Attempt, Table, TableSeat
from arena.db.models.tournaments import Entry, Tournament
from arena.db.models.users import User

__all__ = [
    "Attempt", "Base", "Bot", "Entry", "Match", "MatchSeat", "Rating", "RatingCursor", "RatingEvent", "Table",
    "TableSeat", "Tournament", "User", "Version",
]  # fmt: skip
