"""Trial: the first entry plays a number of tables with the others in turn. Results count nowhere."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from arena.tournament.formats import gauntlet
from arena.tournament.formats.base import Cost, StageSize, Table
from arena.words import N_

NAME: Final = "trial"
TITLE: Final = N_("Trial")
SUMMARY: Final = N_("Unrated matches of one bot, now, against chosen bots. For trying a bot in the playground.")


def tables(entries: int, places: int, count: int) -> Iterator[Table]:
    """Yield `count` tables with the first entry, at which the others take turns; none with too few entries."""
    return islice(gauntlet.tables(entries, places, count), count)


def cost(count: int) -> Cost:
    """Return the cost of a trial."""
    return Cost((StageSize(count),))
