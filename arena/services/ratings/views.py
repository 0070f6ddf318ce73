"""Views of ratings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NamedTuple

from arena.services.base.lists import Listed
from arena.services.base.views import View, says


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


@dataclass(frozen=True)
class LeaderRow:
    """One place on the leaderboard."""

    rank: int
    bot_id: int
    bot: str
    owner: str
    version_id: int
    version: int
    """Number of the version."""
    mu: float
    sigma: float
    conservative: float
    """mu - 3 sigma."""
    tables: int
    """Number of rated tables."""
    matches: int
    """Number of matches at those tables."""
    provisional: bool
    """Whether sigma is still too large for a place on the leaderboard."""
    faults: int
    """Number of the version's matches in the variant in which it failed."""
    strength: GamePoints | None = None
    """Strength in the variant; None if the variant shows none, or before the first fit."""
    risen: int | None = None
    """Places gained (lost if negative) since the time that the leaderboard compares with; None if it had none then."""
    uploaded: datetime | None = None
    """When the version was uploaded; only on a `Board`."""


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
