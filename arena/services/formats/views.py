"""View models of formats: standings, stages, and the cost of a plan."""

from dataclasses import dataclass
from typing import NamedTuple

from arena.services.ratings import strengths
from arena.services.ratings.tallies import Score
from arena.services.ratings.views import GamePoints
from arena.tournament.formats.base import StageSize
from arena.tournament.pace import Range


class Stage(NamedTuple):
    """A stage that has been created."""

    title: str
    byes: frozenset[int]
    """Versions without a table: they advance (knockout) or sit out (Swiss)."""
    through: frozenset[int] = frozenset()
    """Versions that advanced from its tables (knockout)."""


class StandingRow(NamedTuple):
    """An entry in the standings of a tournament.

    What only those who show it need is computed then: there may be thousands of entries, of which some want the ranks.
    """

    variant: str
    bot_id: int
    bot: str
    owner: str
    version_id: int
    version: int
    score: Score | None
    """Totals against all opponents; None before its first table."""
    seed: int
    """Number of the entry, 0-based; in seeded formats 0 is the best."""
    out: str | None
    """Why it gets no more tables, an `Exit`; None if it still takes part."""
    out_after: int | None
    """Number of the table after which it was out."""
    rank: int = 0
    """Rank, 1 is the best; equal entries share a rank."""
    sat_out: int = 0
    """Number of rounds that it sat out (Swiss)."""
    opponents: float | None = None
    """Mean share of its opponents, which breaks ties (Swiss); None before its first table."""
    reached: int | None = None
    """Last stage that it reached, 0-based (knockout)."""

    @property
    def points(self) -> float:
        """Match points: opponents beaten plus half of those tied."""
        return self.score.sums.h / 2 if self.score else 0.0

    @property
    def share(self) -> float | None:
        """Match points as a fraction of the most possible, 0 to 1; None before its first table."""
        return self.score.sums.share() if self.score else None

    @property
    def tables(self) -> int:
        """Number of tables with a result."""
        return self.score.sums.tables if self.score else 0

    @property
    def faults(self) -> int:
        """Number of failed matches."""
        return self.score.faults if self.score else 0

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of the share; None below two tables."""
        return self.score.sums.interval() if self.score else None

    @property
    def strength(self) -> GamePoints | None:
        """Strength in game points; None if the variant has none, or before it is fitted."""
        return strengths.game_points(self.variant, self.score.strength) if self.score else None


@dataclass(frozen=True)
class Preview:
    """Size of a tournament before it starts."""

    bots: int
    """Number of bots to be entered."""
    tables: int
    """Number of tables; 0 if it is not known in advance."""
    matches: int
    """Number of matches; 0 if it is not known in advance."""
    boards: int
    """Number of sets of boards per table."""
    problem: str | None
    """Why the tournament cannot start; None if it can."""
    stages: tuple[StageSize, ...] = ()
    """Sizes of the stages, first to last; empty if they are not known in advance."""
    per_bot: int | None = None
    """Number of tables of each bot; None if it varies or is not known in advance."""
    meetings: int | None = None
    """Number of meetings of each pair of bots; None if it varies or is not known in advance."""
    fewest: int | None = None
    """Lower bound on the number of tables with these meetings (balanced round robin); None for other formats."""
    duration: Range | None = None
    """Seconds from start to end, from earlier tournaments of the variant; None if that is unknown."""
