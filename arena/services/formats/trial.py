"""Trial: unrated tables of one bot against chosen bots, for the team of the bot alone."""

from collections.abc import Iterator, Sequence

from arena.db.models.tournaments import TRIAL
from arena.services.formats.base import OwnPage, Shape, SingleStage
from arena.tournament.formats import trial
from arena.tournament.formats.base import Cost
from arena.words import _


class Trial(SingleStage):
    """One bot plays a number of tables with the others in turn. No result counts."""

    id = TRIAL
    title = trial.TITLE
    summary = trial.SUMMARY
    order = 8
    own_page = OwnPage("trials.index", "trials.show", {"tournament_id": "id"})
    solitaire = True
    withdrawable = False
    cancelled_by_creator = True

    def describe(self, shape: Shape) -> str:
        return _("unrated")

    def cost(self, shape: Shape, entries: int, places: int) -> Cost:
        return trial.cost(shape["tables"])

    def tables(self, entries: int, places: int, shape: Shape) -> Iterator[Sequence[int]]:
        return trial.tables(entries, places, shape["tables"])
