"""Plan options shared by `arena tournament create` and `arena schedule create`."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

import click
import msgspec

from arena.games.errors import NotFound
from arena.games.registry import DEFAULT_VARIANT, VARIANTS
from arena.services.base.context import Arena
from arena.services.bots import pages as bots_service
from arena.services.formats.plans import ALL, CHOSEN, ENTRY_RULES, Plan
from arena.services.formats.registry import PLANNED
from arena.services.formats.round_robin import RoundRobin
from arena.tournament.seatings import SEATINGS

Command = TypeVar("Command", bound=Callable[..., Any])

NUMBERS: Final = tuple(sorted({number.name for format in PLANNED.values() for number in format.fields}))
"""Names of all numeric options of the formats."""


def plan_options(command: Command) -> Command:
    """Add the options that `chosen_plan` reads."""
    options = [
        click.option("--variant", type=click.Choice(list(VARIANTS)), default=DEFAULT_VARIANT, show_default=True),
        click.option("--format", type=click.Choice(list(PLANNED)), default=RoundRobin.id, show_default=True),
        *(click.option(f"--{name}", type=int, help=_help(name)) for name in NUMBERS),
        click.option("--boards", type=int, help="Sets of boards per table; the variant's number by default."),
        click.option("--seatings", type=click.Choice(SEATINGS), default=SEATINGS[0], show_default=True),
        click.option(
            "--entries", type=click.Choice([rule for rule in ENTRY_RULES if rule != CHOSEN]), default=ALL,
            show_default=True, help="The entries if no --bot is given.",
        ),
        click.option("--bot", "bots", multiple=True, metavar="NAME", help="Enter this bot; repeatable."),
        click.option("--fault-cap", type=int, help="Withdraw a bot after more than this many failed matches."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def chosen_plan(arena: Arena, name: str, words: Mapping[str, Any], starts_at: datetime | None = None) -> Plan:
    """Build a plan from the options. Raises `UsageError` and `NotFound`."""
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
    """Describe a number for each format that has it."""
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


def echo_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(msgspec.to_builtins(value), indent=2))


def echo_rows(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows in aligned columns."""
    lines = [head, *(list(map(str, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        click.echo("  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip())
