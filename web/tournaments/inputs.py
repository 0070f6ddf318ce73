"""Plans of tournaments and schedules in bodies."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

from msgspec import Meta, field, structs

from arena.services.base.inputs import Change, Id, Input, Number, Text, Time
from arena.services.base.views import says
from arena.services.formats.plans import Plan
from arena.services.formats.registry import PLANNED

Shape = Annotated[
    Mapping[Text, Number],
    Meta(max_length=20, description="The format's own numbers, by name; those that are left out take their defaults."),
]
Chosen = Annotated[Sequence[Id], Meta(max_length=10_000, description="IDs of the bots, for the entry rule `chosen`.")]


class NewPlan(Input, kw_only=True):
    """A plan."""

    name: Text
    variant: Text
    format: Text = "round_robin"
    shape: Shape = field(default_factory=dict)
    boards: Annotated[Number | None, says("Sets of boards per table; null for the game's own number.")] = None
    seatings: Annotated[Text, says("`rotations`, `all` or `single`.")] = "rotations"
    entry_rule: Annotated[Text, says("`all`, `one_per_owner` or `chosen`.")] = "all"
    chosen: Chosen | None = None
    fault_cap: Annotated[Number | None, says("Withdraw a bot after more than this number of failed matches.")] = None


class TimedPlan(NewPlan, kw_only=True):
    """A tournament that has not started."""

    starts_at: Annotated[Time | None, says("Time of the start; null for a draft.")] = None


P = TypeVar("P", bound=NewPlan)


def plan(given: NewPlan) -> Plan:
    """Return a plan, with the default of each number of its format that it lacks; it may be invalid."""
    format = PLANNED.get(given.format)
    shape = {number.name: number.default for number in format.fields} if format else {}
    starts_at = given.starts_at.timestamp() if isinstance(given, TimedPlan) and given.starts_at else None
    return Plan(**fields_of(given) | {"shape": {**shape, **given.shape}}, starts_at=starts_at)


def timed(plan: Plan) -> TimedPlan:
    """Return a plan as an input."""
    starts_at = None if plan.starts_at is None else datetime.fromtimestamp(plan.starts_at, UTC)
    return TimedPlan(**fields_of(plan), starts_at=starts_at)


def fields_of(plan: Plan | NewPlan) -> dict[str, Any]:
    """Return the settings that tournaments and schedules share."""
    return {name: getattr(plan, name) for name in NewPlan.__struct_fields__}


def changed(old: P, change: Change[P]) -> P:
    """Return an input with the settings that are given. A new format has its own defaults."""
    wanted = change.of(old)
    if wanted.format != old.format and "shape" not in change.given():
        return structs.replace(wanted, shape={})
    return wanted
