"""What a tournament would cost, and why it cannot be: by format, from the number of its entries alone."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from arena.ratings import MOST_PLACES
from arena.services.plans import BALANCED, KNOCKOUT, LADDER, ROUND_ROBIN, SWISS, Plan, boards_of, rules_of
from arena.services.shapes import Preview, StageCost
from arena.tournament.formats import knockout, round_robin_size
from arena.tournament.formats.balanced import balanced, fewest
from arena.tournament.tables import Kind, kind_of

MOST_TABLES: Final = 100_000
MOST_MATCHES: Final = 2000
"""So many matches a table may have: its result is handed in at once."""

MOST_ENTRIES: Final = 300
"""Bots where tables are searched for."""

Shape = Mapping[str, Any]
Cost = Callable[[Shape, int, int], Preview]
"""From a format's numbers, entries and places: tables by stage; matches and boards are filled in later."""


def kind(plan: Plan, entries: int) -> Kind:
    """The tables of such a tournament. Raises OptionError."""
    return kind_of(rules_of(plan.variant).teams, entries, plan.seatings)


def cost(plan: Plan, entries: int) -> Preview:
    """What a tournament by this plan of so many entries makes, or why it cannot be. Raises OptionError."""
    boards = boards_of(plan.variant, plan.boards)
    table = kind(plan, entries)
    wrong = _problem(plan, table, entries, boards)
    if wrong or plan.format not in _COSTS:
        return Preview(entries, 0, 0, boards, wrong)
    counted = _COSTS[plan.format](plan.shape, entries, table.places)
    if counted.problem:
        return replace(counted, boards=boards)
    if counted.tables > MOST_TABLES:
        many = f"That would be {counted.tables:,} tables; {MOST_TABLES:,} are allowed. Take fewer bots or fewer rounds."
        return Preview(entries, 0, 0, boards, many)
    return replace(counted, boards=boards, matches=counted.tables * table.count * boards)


def _problem(plan: Plan, table: Kind, entries: int, boards: int) -> str | None:
    """What no format gets round."""
    if plan.format == LADDER:
        return None
    if entries < table.places:
        return f"A tournament of this variant needs at least {table.places} bots; {entries or 'none'} can be entered."
    if table.places > MOST_PLACES:
        return f"A table seats at most {MOST_PLACES} bots; {entries} would be entered. Choose some of them."
    if table.count * boards > MOST_MATCHES:
        matches = f"A table would have {table.count * boards:,} matches; {MOST_MATCHES:,} are allowed."
        return f"{matches} Take fewer sets of boards or seatings."
    if plan.format in (BALANCED, SWISS) and entries > MOST_ENTRIES:
        return f"This format takes at most {MOST_ENTRIES} bots; {entries} would be entered. Choose some of them."
    if plan.format in _COSTS and plan.format != ROUND_ROBIN and len(rules_of(plan.variant).teams) == 1:
        return "Alone at the cards all bots are compared at one table: the format for that is the round robin."
    return None


def _round_robin(shape: Shape, entries: int, places: int) -> Preview:
    size = round_robin_size(entries, places, shape["rounds"])
    own = size * places // entries
    meetings = own * (places - 1) // (entries - 1)
    return _preview(entries, [StageCost(size, 0)], per_bot=own, meetings=meetings)


def _balanced(shape: Shape, entries: int, places: int) -> Preview:
    design = balanced(entries, places, shape["meetings"])
    least = fewest(entries, places, shape["meetings"])
    stages = [StageCost(design.size, 0)]
    return _preview(entries, stages, per_bot=design.per_entry, meetings=design.meetings, fewest=least)


def _swiss(shape: Shape, entries: int, places: int) -> Preview:
    tables, over = divmod(entries, places)
    per_bot = None if over else shape["rounds"]
    return _preview(entries, [StageCost(tables, over)] * shape["rounds"], per_bot=per_bot)


def _knockout(shape: Shape, entries: int, places: int) -> Preview:
    advance = shape["advance"]
    if advance >= places:
        home = f"At a table of {places} somebody has to go home: at most {places - 1} can go on, not {advance}."
        return Preview(entries, 0, 0, 0, home)
    return _preview(entries, [StageCost(*stage) for stage in knockout.stages(entries, places, advance)])


def _preview(entries: int, stages: list[StageCost], **more: int | None) -> Preview:
    tables = sum(stage.tables for stage in stages)
    return Preview(entries, tables, 0, 0, None, tuple(stages), **more)


_COSTS: Final[Mapping[str, Cost]] = MappingProxyType(
    {ROUND_ROBIN: _round_robin, BALANCED: _balanced, SWISS: _swiss, KNOCKOUT: _knockout}
)
