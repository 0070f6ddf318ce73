"""Ratings."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RatingRow:
    """The current rating of one version in one variant."""

    variant: str
    mu: float
    sigma: float
    conservative: float
    tables: int
    matches: int
    provisional: bool
    """Whether sigma is still large: fewer results than a place on the leaderboard deserves."""


@dataclass(frozen=True)
class LeaderRow:
    """One place on the leaderboard."""

    rank: int
    bot_id: int
    bot: str
    owner: str
    version_id: int
    version: int
    mu: float
    sigma: float
    conservative: float
    tables: int
    matches: int
    provisional: bool


@dataclass(frozen=True)
class RatingPoint:
    """A version's rating after one table."""

    table_id: int
    tournament_id: int
    tournament: str
    rank: int
    mu: float
    sigma: float
    conservative: float
