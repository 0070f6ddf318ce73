"""Cost of a plan, such as its number of tables, from the number of entries alone."""

from typing import Final

from arena.games.registry import rules_of
from arena.ratings import MOST_PLACES
from arena.services.formats.base import Format, kind
from arena.services.formats.plans import Plan, boards_of
from arena.services.formats.registry import FORMATS
from arena.services.formats.views import Preview
from arena.tournament.tables import Kind
from arena.words import _, number

MAX_TABLES: Final = 100_000
"""Largest number of tables of a tournament."""
MAX_MATCHES: Final = 2000
"""Largest number of matches of a table, whose result is submitted in one transaction."""


def cost(plan: Plan, entries: int) -> Preview:
    """Return the size of a tournament by this plan with this number of entries. Raises `OptionError`."""
    chosen, boards = FORMATS[plan.format], boards_of(plan.variant, plan.boards)
    table = kind(plan.variant, plan.seatings, entries)
    problem = None if chosen.any_field else _problem(chosen, plan, table, entries, boards)
    counted = None if problem else chosen.cost(plan.shape, entries, table.places)
    if counted is None:
        return Preview(entries, 0, 0, boards, problem)
    problem = counted.problem or _too_many(counted.tables)
    if problem:
        return Preview(entries, 0, 0, boards, problem)
    matches = counted.tables * table.count * boards
    return Preview(
        entries,
        counted.tables,
        matches,
        boards,
        None,
        counted.stages,
        counted.per_bot,
        counted.meetings,
        counted.fewest,
    )


def _problem(chosen: Format, plan: Plan, table: Kind, entries: int, boards: int) -> str | None:
    """Return why a plan is not possible, whatever its shape; None if it may be."""
    if entries < table.places:
        if not entries:
            return _(
                "A tournament of this variant needs at least %(places)s bots; none can be entered.", places=table.places
            )
        values = {"places": table.places, "bots": entries}
        return _("A tournament of this variant needs at least %(places)s bots; %(bots)s can be entered.", **values)
    if table.places > MOST_PLACES:
        values = {"most": MOST_PLACES, "bots": entries}
        return _("A table seats at most %(most)s bots; %(bots)s would be entered. Choose some of them.", **values)
    if table.count * boards > MAX_MATCHES:
        return _(
            "A table would have %(matches)s matches; %(most)s are allowed. Choose fewer sets of boards or seatings.",
            matches=number(table.count * boards), most=number(MAX_MATCHES),
        )  # fmt: skip
    if chosen.most_entries is not None and entries > chosen.most_entries:
        values = {"most": chosen.most_entries, "bots": entries}
        return _("This format takes at most %(most)s bots; %(bots)s would be entered. Choose some of them.", **values)
    if not chosen.solitaire and len(rules_of(plan.variant).teams) == 1:
        return _("A solitaire variant seats all bots at one table. Choose the round robin.")
    return None


def _too_many(tables: int) -> str | None:
    if tables <= MAX_TABLES:
        return None
    values = {"tables": number(tables), "most": number(MAX_TABLES)}
    return _("The plan has %(tables)s tables; %(most)s are allowed. Choose fewer bots or fewer rounds.", **values)
