"""Balanced round robin: every pair of bots meets equally often."""

from collections.abc import Iterator, Sequence

from arena.services.formats.base import Number, Shape, SingleStage
from arena.tournament.formats import balanced
from arena.tournament.formats.base import Cost
from arena.words import N_, _, number


class Balanced(SingleStage):
    """Every pair of bots meets equally often, at few tables."""

    id = balanced.NAME
    title = balanced.TITLE
    summary = balanced.SUMMARY
    order = 2
    fields = (Number("meetings", N_("Meetings"), N_("Least number of meetings of every pair of bots."), 1, 1, 1000),)
    most_entries = balanced.MOST_ENTRIES

    def describe(self, shape: Shape) -> str:
        if shape["meetings"] == 1:
            return _("every pair meets at least once")
        return _("every pair meets at least %(number)s times", number=number(shape["meetings"]))

    def cost(self, shape: Shape, entries: int, places: int) -> Cost:
        return balanced.cost(entries, places, shape["meetings"])

    def tables(self, entries: int, places: int, shape: Shape) -> Iterator[Sequence[int]]:
        return balanced.tables(entries, places, shape["meetings"])
