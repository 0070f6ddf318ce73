"""What `arena tournament create` and `arena schedule create` share: a plan as options."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import click
import msgspec

from arena.games.errors import NotFound
from arena.games.registry import DEFAULT_VARIANT, VARIANTS
from arena.services import bots as bots_service
from arena.services.context import Arena
from arena.services.plans import ALL, CHOSEN, ENTRY_RULES, FORMATS, ROUND_ROBIN, Plan
from arena.tournament.seatings import SEATINGS

Command = TypeVar("Command", bound=Callable[..., Any])

PLANNED: Final = {format.id: format for format in FORMATS.values() if not format.own_page}
NUMBERS: Final = tuple(sorted({number.name for format in PLANNED.values() for number in format.fields}))
"""The numbers that any of the formats asks for."""


def plan_options(command: Command) -> Command:
    """Adds the options that `chosen_plan` reads."""
    options = [
        click.option("--variant", type=click.Choice(list(VARIANTS)), default=DEFAULT_VARIANT, show_default=True),
        click.option("--format", type=click.Choice(list(PLANNED)), default=ROUND_ROBIN, show_default=True),
        *(click.option(f"--{name}", type=int, help=_help(name)) for name in NUMBERS),
        click.option("--boards", type=int, help="Sets of boards per table; as many as the variant says by default."),
        click.option("--seatings", type=click.Choice(SEATINGS), default=SEATINGS[0], show_default=True),
        click.option(
            "--entries", type=click.Choice([rule for rule in ENTRY_RULES if rule != CHOSEN]), default=ALL,
            show_default=True, help="Who takes part, where no bot is named.",
        ),
        click.option("--bot", "bots", multiple=True, metavar="NAME", help="Takes part; may be given several times."),
        click.option("--fault-cap", type=int, help="In so many matches a bot may fail; with one more it is out."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def chosen_plan(arena: Arena, name: str, words: Mapping[str, Any], starts_at: datetime | None = None) -> Plan:
    """The plan that the options say. Raises UsageError and NotFound."""
    return Plan(
        name=name,
        variant=words["variant"],
        format=words["format"],
        shape=_shape(words),
        boards=words["boards"],
        seatings=words["seatings"],
        entry_rule=CHOSEN if words["bots"] else words["entries"],
        chosen=_bot_ids(arena, words["bots"]) if words["bots"] else None,
        fault_cap=words["fault_cap"],
        starts_at=None if starts_at is None else starts_at.timestamp(),
    )


def _help(name: str) -> str:
    """What a number means in each of the formats that ask for it."""
    asking = [(format, number) for format in PLANNED.values() for number in format.fields if number.name == name]
    return " ".join(f"{format.id}: {number.help} (Default {number.default}.)" for format, number in asking)


def _shape(words: Mapping[str, Any]) -> dict[str, int]:
    fields = {number.name: number for number in PLANNED[words["format"]].fields}
    strange = [f"--{name}" for name in NUMBERS if words[name] is not None and name not in fields]
    if strange:
        raise click.UsageError(f"the format {words['format']} has no {', '.join(strange)}")
    return {name: number.default if words[name] is None else words[name] for name, number in fields.items()}


def _bot_ids(arena: Arena, names: Sequence[str]) -> list[int]:
    known = {bot.name.lower(): bot.id for bot in bots_service.all_bots(arena)}
    unknown = [name for name in names if name.lower() not in known]
    if unknown:
        raise NotFound(f"There is no bot {', '.join(unknown)}.")
    return [known[name.lower()] for name in names]


class Moment(click.ParamType[datetime]):
    """A date and time as in ISO 8601; without a distance to UTC it is meant in UTC."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The moment. Fails where it is none."""
        try:
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is not a time such as 2030-01-31T18:00+01:00", param, ctx)


def echo_json(value: Any) -> None:
    """Print what a service answered, for programs."""
    click.echo(json.dumps(msgspec.to_builtins(value), indent=2))


def echo_rows(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table in columns, for people."""
    lines = [head, *(list(map(str, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        click.echo("  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip())
