"""The first page."""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.services.shapes.matches import MatchRow
from arena.services.shapes.ratings import LeaderRow
from arena.services.shapes.tournaments import TournamentRow


@dataclass(frozen=True)
class Counts:
    """The size of the arena."""

    bots: int
    users: int
    matches: int
    waiting: int
    """Tables queued or being played."""


@dataclass(frozen=True)
class HomePage:
    """What the first page shows."""

    counts: Counts
    tournaments: tuple[TournamentRow, ...]
    leaders: Mapping[str, tuple[LeaderRow, ...]]
    """The best bots of the variants that were played last."""
    matches: tuple[MatchRow, ...]
