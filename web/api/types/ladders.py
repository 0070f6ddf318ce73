"""Ladders."""

from typing import Annotated

from arena.services.ladders.views import LadderPage
from arena.services.ladders.views import Outlook as OutlookView
from web.api.types.base import Part, each, made, says
from web.api.types.ratings import Leader, leaders
from web.api.types.tables import Table, tables
from web.api.types.tournaments import Tournament, tournament, tournaments


class OwnerShare(Part):
    """An owner's share of a ladder."""

    owner: str
    bots: Annotated[int, says("Number of the owner's bots that take part now.")]
    tables: Annotated[int, says("Number of places that the owner's bots have had at finished tables.")]
    share: Annotated[float, says("Fraction of all places, 0 to 1.")]


class Outlook(Part):
    """Ratings that a ladder has still to make precise."""

    target: Annotated[float, says("Sigma at which a rating is precise.")]
    bots: Annotated[int, says("Number of bots that take part.")]
    uncertain: Annotated[int, says("Number of them that need more tables.")]
    tables: Annotated[int, says("Number of tables that it is expected to play until they need no more.")]
    seconds: Annotated[float | None, says("Time that these tables take at the present pace; null if unknown.")]
    least: Annotated[tuple[Leader, ...], says("The least certain of the rated bots.")]


class Ladder(Part):
    """The ladder of a variant."""

    variant: str
    tournament: Annotated[Tournament | None, says("The running or paused ladder; null if there is none.")]
    former: Annotated[tuple[Tournament, ...], says("Cancelled ladders, the latest first.")]
    standings: tuple[Leader, ...]
    owners: tuple[OwnerShare, ...]
    tables: Annotated[tuple[Table, ...], says("Running tables, then the latest finished ones.")]
    due: Annotated[tuple[Table, ...], says("The first waiting tables, by number.")]
    waiting: Annotated[int, says("Number of waiting tables.")]
    outlook: Annotated[Outlook | None, says("Null if there is no ladder, or if it plays without end.")]
    problem: Annotated[str | None, says("Why there is no ladder, or why no tables are being played.")]


def ladder(page: LadderPage) -> Ladder:
    """Return a ladder."""
    return made(
        Ladder,
        page,
        tournament=None if page.row is None else tournament(page.row),
        former=tournaments(page.former),
        standings=leaders(page.standings),
        owners=each(OwnerShare, page.owners),
        tables=tables(page.tables),
        due=tables(page.due),
        outlook=_outlook(page.outlook),
    )


def _outlook(view: OutlookView | None) -> Outlook | None:
    return None if view is None else made(Outlook, view, least=leaders(view.least))
