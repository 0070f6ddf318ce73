"""View models of ladders."""

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


class PresentRow(View, frozen=True):
    """A bot outside the arena that is ready to play."""

    bot_id: int
    bot: str
    tables: Annotated[int, says("Largest number of tables at a time.")]


class OutlookRow(View, frozen=True):
    """Ratings that a ladder has still to make precise."""

    target: Annotated[float, says("Sigma at which a rating is precise.")]
    bots: Annotated[int, says("Number of bots that take part.")]
    uncertain: Annotated[int, says("Number of them that need more tables.")]
    tables: Annotated[int, says("Number of tables that it is expected to play until they need no more.")]
    seconds: Annotated[float | None, says("Time that these tables take at the present pace; null if unknown.")]
    least: Annotated[tuple[LeaderRow, ...], says("The least certain of the rated bots.")]


class LadderFacts(View, frozen=True):
    """The ladder of a variant, without the ratings of its bots."""

    variant: str
    former: Annotated[tuple[TournamentRow, ...], says("Cancelled ladders, the latest first.")]
    owners: tuple[OwnerShare, ...]
    tables: Annotated[tuple[TableRow, ...], says("Running tables, then the latest finished ones.")]
    due: Annotated[tuple[TableRow, ...], says("The first waiting tables, by number.")]
    waiting: Annotated[int, says("Number of waiting tables.")]
    ready: Annotated[tuple[PresentRow, ...], says("All bots that are ready to play, in an open division.")]
    problem: Annotated[str | None, says("Why there is no ladder, or why no tables are being played.")]


class LadderPage(LadderFacts, frozen=True):
    """Page of a variant's ladder."""

    row: TournamentRow | None
    """The running or paused ladder; None if there is none."""
    standings: tuple[LeaderRow, ...]
    outlook: OutlookRow | None
    """None if there is no ladder, or if it plays without end."""
    actions: frozenset[str]
    """Actions open to organisers."""
