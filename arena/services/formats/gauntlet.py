"""Gauntlet: one bot meets each of the others."""

from collections.abc import Iterator, Sequence

from arena.services.formats.base import Number, Shape, SingleStage, rounds
from arena.tournament.formats import gauntlet
from arena.tournament.formats.base import Cost
from arena.words import N_, _


class Gauntlet(SingleStage):
    """One bot meets each of the others. The challenger is chosen by its place by rating; entries are in that order."""

    id = gauntlet.NAME
    title = gauntlet.TITLE
    summary = gauntlet.SUMMARY
    order = 3
    fields = (
        Number("rounds", N_("Rounds"), N_("Number of meetings with every other bot."), 1, 1, 1000),
        Number(
            "challenger",
            N_("Challenger"),
            N_("Its place by rating among the entered bots; 1 is the best."),
            1,
            1,
            100_000,
        ),
    )
    seeded = True

    def describe(self, shape: Shape) -> str:
        values = {"rounds": rounds(shape["rounds"]), "place": shape["challenger"]}
        return _("%(rounds)s of the bot in place %(place)s by rating against the others", **values)

    def cost(self, shape: Shape, entries: int, places: int) -> Cost:
        if shape["challenger"] > entries:
            return Cost(
                problem=_(
                    "The challenger must be 1 to %(last)s (place by rating), not %(place)s.",
                    last=entries, place=shape["challenger"],
                )
            )  # fmt: skip
        return gauntlet.cost(entries, places, shape["rounds"])

    def tables(self, entries: int, places: int, shape: Shape) -> Iterator[Sequence[int]]:
        challenger = shape["challenger"] - 1
        order = [challenger, *(entry for entry in range(entries) if entry != challenger)]
        for table in gauntlet.tables(entries, places, shape["rounds"]):
            yield sorted(order[entry] for entry in table)
