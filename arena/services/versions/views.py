"""View models of two versions of a bot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from arena.services.base.views import View, says
from arena.services.numbers.crosstables import Cell, Contender
from arena.services.ratings.views import RatingRow
from arena.tournament.intervals import Interval


class Numbered(View, frozen=True):
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
    outside: bool
    """Whether it runs outside the arena. Its versions never have the same view, because it plays each board once."""
    a: Numbered
    b: Numbered
    versions: Sequence[Numbered]
    """All versions that passed the check, newest first."""
    variants: Sequence[str]
    """Variants in which one of the two has a rating."""


class Difference(NamedTuple):
    """The rating of b minus that of a."""

    value: float
    interval: Interval
    """95 % interval."""


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

    name: Contender
    a: Cell
    """Points of a against it."""
    b: Cell


class DecisionOf(View, frozen=True):
    """Decision of a version."""

    action: str
    match_id: int
    move: Annotated[int, says("Index of the move in the match.")]


class DifferentDecision(View, frozen=True):
    """A view that both versions had, and on which they decided differently."""

    phase: str
    view: Annotated[Mapping[str, Any], says("The view as both were sent it.")]
    a: DecisionOf
    b: DecisionOf


class Decisions(View, frozen=True):
    """Decisions of two versions on equal views."""

    tables: Annotated[int, says("Number of tables read.")]
    views: Annotated[int, says("Number of views that both had.")]
    different: Annotated[Sequence[DifferentDecision], says("The first of them, the latest tables first.")]
    differing: Annotated[int, says("Number of views on which they decided differently.")]
