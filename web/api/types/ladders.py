"""Ladders."""

from typing import Annotated

from arena.services.ladders.views import LadderFacts, OutlookRow
from arena.services.tournaments.views import TournamentRow
from web.api.types.base import of, says
from web.api.types.ratings import Leader


class Outlook(OutlookRow, frozen=True):
    """Ratings that a ladder has still to make precise."""

    least: Annotated[tuple[Leader, ...], says("The least certain of the rated bots.")]  # type: ignore[assignment]


class Ladder(LadderFacts, frozen=True):
    """The ladder of a variant."""

    tournament: Annotated[TournamentRow | None, of("row"), says("The running or paused ladder; null if there is none.")]
    standings: tuple[Leader, ...]
    outlook: Annotated[Outlook | None, says("Null if there is no ladder, or if it plays without end.")]
