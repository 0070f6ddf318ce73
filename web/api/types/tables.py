"""Tables."""

from itertools import chain
from typing import Annotated

from arena.services.tables.views import AttemptFacts, TableFacts, TableMatch, TablePage
from web.api.types.base import made, says


class Attempt(AttemptFacts, frozen=True):
    """An attempt at a table."""

    matches: Annotated[tuple[TableMatch, ...], says("Its matches; empty if the attempt failed.")]


class TableDetail(TableFacts, frozen=True):
    """A table with its matches and attempts."""

    matches: Annotated[tuple[TableMatch, ...], says("Matches that count, by set of boards and order of seatings.")]
    attempts: Annotated[tuple[Attempt, ...], says("All attempts, oldest first.")]


def table_detail(page: TablePage) -> TableDetail:
    """Return a table with its matches and attempts."""
    attempts = (made(Attempt, one, matches=tuple(chain(*one.sets))) for one in page.attempts)
    return made(TableDetail, page, matches=tuple(chain(*page.sets)), attempts=tuple(attempts))
