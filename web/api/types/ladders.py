"""Ladders."""

from typing import Annotated

from arena.services.ladders.views import OutlookRow, OwnerShare
from arena.services.tables.views import TableRow
from arena.services.tournaments.views import TournamentRow
from web.api.types.base import Part, of, says
from web.api.types.ratings import Leader


class Outlook(OutlookRow, frozen=True):
    """Ratings that a ladder has still to make precise."""

    least: Annotated[tuple[Leader, ...], says("The least certain of the rated bots.")]  # type: ignore[assignment]


class Ladder(Part):
    """The ladder of a variant."""

    variant: str
    tournament: Annotated[TournamentRow | None, of("row"), says("The running or paused ladder; null if there is none.")]
    former: Annotated[tuple[TournamentRow, ...], says("Cancelled ladders, the latest first.")]
    standings: tuple[Leader, ...]
    owners: tuple[OwnerShare, ...]
    tables: Annotated[tuple[TableRow, ...], says("Running tables, then the latest finished ones.")]
    due: Annotated[tuple[TableRow, ...], says("The first waiting tables, by number.")]
    waiting: Annotated[int, says("Number of waiting tables.")]
    outlook: Annotated[Outlook | None, says("Null if there is no ladder, or if it plays without end.")]
    problem: Annotated[str | None, says("Why there is no ladder, or why no tables are being played.")]
