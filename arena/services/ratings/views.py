"""Views of ratings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NamedTuple

from arena.services.base.lists import Listed
from arena.services.base.views import Time, View, says


class RatingRow(View, frozen=True):
    """Rating of a version in a variant."""

    variant: str
    mu: Annotated[float, says("Estimated skill.")]
    sigma: Annotated[float, says("Standard deviation of the estimate.")]
    conservative: Annotated[float, says("mu - 3 sigma, which leaderboards rank by.")]
    tables: Annotated[int, says("Number of rated tables.")]
    matches: Annotated[int, says("Number of matches at those tables.")]
    provisional: Annotated[bool, says("Whether sigma is still too large for a settled place.")]
    faults: Annotated[int, says("Number of matches in which the version failed.")]


@dataclass(frozen=True)
class GamePoints:
    """Strength in game points per deal, hand or match above the average seat, adjusted for opponents."""

    value: float
    interval: tuple[float, float] | None
    """95 % confidence interval; None below two tables."""


class Placed(View, frozen=True):
    """A bot on a leaderboard, without its estimates."""

    rank: Annotated[int, says("Place, from 1. Equal ratings share a place.")]
    bot_id: int
    bot: Annotated[str, says("Name of the bot.")]
    owner: str
    version_id: int
    version: Annotated[int, says("Number of the version.")]
    sigma: Annotated[float, says("Standard deviation of the estimate.")]
    conservative: Annotated[float, says("mu - 3 sigma, which the leaderboard ranks by.")]
    tables: Annotated[int, says("Number of rated tables.")]
    matches: Annotated[int, says("Number of matches at those tables.")]
    provisional: Annotated[bool, says("Whether sigma is still too large for a settled place.")]
    faults: Annotated[int, says("Number of matches in which the version failed.")]
    risen: Annotated[int | None, says("Places gained, or lost if negative; null if it had no place at that time.")]
    uploaded: Annotated[Time | None, says("Time of the version's upload; only in leaderboards.")]


class LeaderRow(Placed, frozen=True):
    """One place on the leaderboard."""

    mu: float
    strength: GamePoints | None
    """Strength in the variant; None if the variant shows none, or before the first fit."""


@dataclass(frozen=True)
class Board:
    """A part of a variant's leaderboard."""

    listed: Listed[LeaderRow]
    rated: int
    """Number of bots on the whole leaderboard."""
    since: datetime | None
    """Time that places are compared with; None if no earlier places are known."""


class Rated(NamedTuple):
    """A version's rating after one of its tables."""

    tables: int
    """Number of its rated tables so far."""
    mu: float
    sigma: float


@dataclass(frozen=True)
class VersionHistory:
    """The rating of a version after each of its latest tables in a variant."""

    version: int
    """Number of the version."""
    points: Sequence[Rated]
    """At least one, oldest first."""
