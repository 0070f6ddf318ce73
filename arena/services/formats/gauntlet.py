"""Gauntlet: one bot meets each of the others."""

from collections.abc import Iterator, Sequence

from arena.services.formats.base import Number, Shape, SingleStage, rounds
from arena.tournament.formats import gauntlet
from arena.tournament.formats.base import Cost


class Gauntlet(SingleStage):
    """One bot meets each of the others. The challenger is chosen by its place by rating; entries are in that order."""

    id = gauntlet.NAME
    title = gauntlet.TITLE
    summary = gauntlet.SUMMARY
    order = 3
    fields = (
        Number("rounds", "Rounds", "Number of meetings with every other bot.", 1, 1, 1000),
        Number("challenger", "Challenger", "Its place by rating among the entered bots; 1 is the best.", 1, 1, 100_000),
    )
    seeded = True

    def describe(self, shape: Shape) -> str:
        """Return the number of rounds and the challenger."""
        return f"{rounds(shape['rounds'])} of the bot in place {shape['challenger']} by rating against the others"

    def cost(self, shape: Shape, entries: int, places: int) -> Cost:
        """Return the number of tables, or a problem if there is no such challenger."""
        if shape["challenger"] > entries:
            return Cost(problem=f"The challenger must be 1 to {entries} (place by rating), not {shape['challenger']}.")
        return gauntlet.cost(entries, places, shape["rounds"])

    def tables(self, entries: int, places: int, shape: Shape) -> Iterator[Sequence[int]]:
        """Yield the tables with the challenger in the place of the first entry."""
        challenger = shape["challenger"] - 1
        order = [challenger, *(entry for entry in range(entries) if entry != challenger)]
        for table in gauntlet.tables(entries, places, shape["rounds"]):
            yield sorted(order[entry] for entry in table)
