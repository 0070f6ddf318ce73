"""The tables, one file per noun."""

from arena.db.base import Base
from arena.db.models.bots import Bot, Version
from arena.db.models.matches import Match, MatchSeat
from arena.db.models.ratings import Rating, RatingCursor, RatingEvent, RatingParameters
from arena.db.models.tables import Attempt, Table, TableSeat
from arena.db.models.tallies import TournamentPair, TournamentScore, VariantPair, VariantScore
from arena.db.models.tournaments import Entry, Rejudgement, Schedule, Tournament
from arena.db.models.users import Notice, User

__all__ = [
    "Attempt", "Base", "Bot", "Entry", "Match", "MatchSeat", "Notice", "Rating", "RatingCursor", "RatingEvent",
    "RatingParameters", "Rejudgement", "Schedule", "Table", "TableSeat", "Tournament", "TournamentPair",
    "TournamentScore", "User", "VariantPair", "VariantScore", "Version",
]  # fmt: skip
