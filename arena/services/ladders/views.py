"""View models of ladders."""

from dataclasses import dataclass

from arena.services.ratings.views import LeaderRow
from arena.services.tables.views import TableRow
from arena.services.tournaments.views import TournamentRow


@dataclass(frozen=True)
class OwnerShare:
    """An owner's share of a ladder."""

    owner: str
    bots: int
    """Number of the owner's bots that take part now."""
    tables: int
    """Number of places that the owner's bots have had at finished tables."""
    share: float
    """Fraction of all places, 0 to 1."""


@dataclass(frozen=True)
class Outlook:
    """Ratings that a ladder has still to make precise."""

    target: float
    """Sigma at which a rating is precise."""
    bots: int
    """Number of bots that take part."""
    uncertain: int
    """Number of them that need more tables."""
    tables: int
    """Number of tables that the ladder is expected to play until they need no more."""
    seconds: float | None
    """Time that these tables take at the present pace; None if too few were played lately."""
    least: tuple[LeaderRow, ...]
    """The least certain of the rated bots that need more tables."""


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
    outlook: Outlook | None
    """None if there is no ladder, or if it plays without end."""
    problem: str | None
    """Why the variant has no ladder, or no tables are being played."""
    actions: frozenset[str]
    """Actions open to organisers."""
