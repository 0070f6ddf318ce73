"""View models of ladders."""

from dataclasses import dataclass
from typing import Annotated

from arena.services.base.views import View, says
from arena.services.ratings.views import LeaderRow
from arena.services.tables.views import TableRow
from arena.services.tournaments.views import TournamentRow


class OwnerShare(View, frozen=True):
    """An owner's share of a ladder."""

    owner: str
    bots: Annotated[int, says("Number of the owner's bots that take part now.")]
    tables: Annotated[int, says("Number of places that the owner's bots have had at finished tables.")]
    share: Annotated[float, says("Fraction of all places, 0 to 1.")]


class OutlookRow(View, frozen=True):
    """Ratings that a ladder has still to make precise."""

    target: Annotated[float, says("Sigma at which a rating is precise.")]
    bots: Annotated[int, says("Number of bots that take part.")]
    uncertain: Annotated[int, says("Number of them that need more tables.")]
    tables: Annotated[int, says("Number of tables that it is expected to play until they need no more.")]
    seconds: Annotated[float | None, says("Time that these tables take at the present pace; null if unknown.")]
    least: Annotated[tuple[LeaderRow, ...], says("The least certain of the rated bots.")]


@dataclass(frozen=True)
class LadderPage:
    """Page of a variant's ladder."""

    variant: str
    row: TournamentRow | None
    """The running or paused ladder; None if there is none."""
    former: tuple[TournamentRow, ...]
    """Cancelled ladders, the latest first."""
    standings: tuple[LeaderRow, ...]
    owners: tuple[OwnerShare, ...]
    tables: tuple[TableRow, ...]
    """Running tables, then the latest finished ones."""
    due: tuple[TableRow, ...]
    """The first waiting tables, by number."""
    waiting: int
    """Number of waiting tables."""
    outlook: OutlookRow | None
    """None if there is no ladder, or if it plays without end."""
    problem: str | None
    """Why the variant has no ladder, or no tables are being played."""
    actions: frozenset[str]
    """Actions open to organisers."""
