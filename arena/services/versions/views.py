"""View models of two versions of a bot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.services.numbers.crosstables import Cell, NamedVersion
from arena.services.ratings.views import RatingRow


class Numbered(NamedTuple):
    """A version of the bot."""

    id: int
    number: int


@dataclass(frozen=True)
class VersionPair:
    """Two versions of a bot."""

    bot_id: int
    bot: str
    mine: bool
    """Whether the viewer belongs to the bot's team or is an admin, and so may read the sources."""
    a: Numbered
    b: Numbered
    versions: Sequence[Numbered]
    """All versions that passed the check, newest first."""
    variants: Sequence[str]
    """Variants in which one of the two has a rating."""


class Difference(NamedTuple):
    """The rating of b minus that of a."""

    mean: float
    low: float
    high: float
    """Ends of the 95 % interval."""


class Ratings(NamedTuple):
    """Ratings of both versions in a variant."""

    variant: str
    a: RatingRow | None
    b: RatingRow | None
    difference: Difference | None
    """None unless both have a rating."""
    met: Cell | None
    """Points of b against a at tables that both played at; None if they have not met."""


class SharedOpponent(NamedTuple):
    """An opponent that both versions have met."""

    name: NamedVersion
    a: Cell
    """Points of a against it."""
    b: Cell


class Choice(NamedTuple):
    """Decision of a version."""

    action: str
    match_id: int
    move: int
    """Index of the move in the match."""


class OtherDecision(NamedTuple):
    """A view that both versions had, and on which they decided differently."""

    phase: str
    view: Mapping[str, Any]
    """The view as both were sent it."""
    a: Choice
    b: Choice


@dataclass(frozen=True)
class DecisionsPage:
    """Decisions of both versions on equal views at the latest tables that both played at."""

    tables: int
    """Number of tables read."""
    views: int
    """Number of views that both had."""
    different: Sequence[OtherDecision]
    """Views on which they decided differently, the latest tables first; at most `pages.MOST_DECISIONS`."""
    differing: int
    """Number of all views on which they decided differently."""
