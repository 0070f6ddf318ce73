"""Plans of tournaments and schedules in bodies."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from arena.services.formats.plans import Plan
from arena.services.formats.registry import PLANNED
from web.api.types.actions import Id, Input, Number, Text

Shape = Annotated[
    dict[Text, Number],
    Meta(max_length=20, description="The format's own numbers, by name; those that are left out take their defaults."),
]
Chosen = Annotated[list[Id], Meta(max_length=10_000, description="IDs of the bots, for the entry rule `chosen`.")]
FaultCap = Annotated[Number | None, Meta(description="Withdraw a bot after more than this number of failed matches.")]
Boards = Annotated[Number | None, Meta(description="Sets of boards per table; null for the game's own number.")]


class PlanFields(Input):
    """Settings that all formats share."""

    boards: Boards = None
    seatings: Annotated[Text, Meta(description="`rotations`, `all` or `single`.")] = "rotations"
    entry_rule: Annotated[Text, Meta(description="`all`, `one_per_owner` or `chosen`.")] = "all"
    chosen: Chosen | None = None
    fault_cap: FaultCap = None


class NewPlan(PlanFields, kw_only=True):
    """A plan."""

    name: Text
    variant: Text
    format: Text = "round_robin"
    shape: Shape = field(default_factory=dict)


class PlanChange(Input):
    """New settings of a plan; those that are left out stay."""

    name: Text | UnsetType = UNSET
    variant: Text | UnsetType = UNSET
    format: Text | UnsetType = UNSET
    shape: Shape | UnsetType = UNSET
    boards: Boards | UnsetType = UNSET
    seatings: Text | UnsetType = UNSET
    entry_rule: Text | UnsetType = UNSET
    chosen: Chosen | UnsetType | None = UNSET
    fault_cap: FaultCap | UnsetType = UNSET


NAMES = tuple(PlanChange.__struct_fields__)


def plan(given: NewPlan) -> Plan:
    """Return a plan; it may be invalid."""
    return _completed(Plan(**_given(given)))


def changed(old: Plan, given: PlanChange, **more: Any) -> Plan:
    """Return a plan with the settings that are given; it may be invalid. A new format has its own defaults."""
    wanted = replace(old, **_given(given), **more)
    if given.shape is UNSET and wanted.format != old.format:
        wanted = replace(wanted, shape={})
    return _completed(wanted)


def seconds(time: datetime | None) -> float | None:
    """Return a time in seconds since 1970."""
    return None if time is None else time.timestamp()


def _completed(plan: Plan) -> Plan:
    """Return the plan with the default of each number of its format that it lacks."""
    format = PLANNED.get(plan.format)
    defaults = {number.name: number.default for number in format.fields} if format else {}
    return replace(plan, shape={**defaults, **plan.shape})


def _given(given: NewPlan | PlanChange) -> dict[str, Any]:
    return {name: value for name in NAMES if (value := getattr(given, name)) is not UNSET}
