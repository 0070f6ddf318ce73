"""Results of an assignment as CSV, for organisers."""

from collections.abc import Sequence
from typing import Final

from arena.services.assignments.pages import assignment_page, sorted_by
from arena.services.assignments.views import Result, Student
from arena.services.base.access import Account, check_organiser
from arena.services.base.context import Arena
from arena.services.base.sheets import as_csv

HEAD: Final = (
    "account", "real_name", "state", "bot", "version", "uploaded", "beaten", "share", "share_low", "share_high",
    "tables", "comparison", "place", "final", "points_valid", "points_beaten", "points_place", "points",
)  # fmt: skip
"""Columns. `comparison` and `final` are IDs of tournaments, whose tables give the numbers before them."""


def results(arena: Arena, account: Account, assignment_id: int) -> str:
    """Return a line per participant, with the version that counts. Raises `Refused` and `NotFound`."""
    check_organiser(account)
    page = assignment_page(arena, assignment_id, account)
    return as_csv([HEAD, *(_line(one, page.final_id) for one in sorted_by(page.students, "name"))])


def _line(one: Student, final_id: int | None) -> Sequence[object]:
    counts, place, award = one.counts, one.place, one.award
    return (
        one.name, one.real_name, str(one.progress), one.bot,
        counts.number if counts else None,
        f"{counts.created:%Y-%m-%dT%H:%M:%SZ}" if counts else None,
        "yes" if one.beaten else "no",
        *_share(counts.result if counts else None),
        place.rank if place else None,
        final_id if place else None,
        *(round(number, 4) for number in (award.valid, award.beaten, award.place, award.total)),
    )  # fmt: skip


def _share(result: Result | None) -> Sequence[object]:
    """Return share, both ends of its interval, number of tables, and comparison."""
    if result is None:
        return (None,) * 5
    numbers = (result.share, *(result.interval or (None, None)))
    return (*(None if number is None else round(number, 4) for number in numbers), result.tables, result.tournament_id)
