"""Names that scripts of operators and authors use."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from arena.cli import main
from arena.exits import ExitCode
from arena.settings import SETTINGS

OPERATING = Path(__file__).parents[2] / "docs/operating.md"


def names() -> list[str]:
    """Return the commands with their options, exit codes, settings and metrics of this release, sorted."""
    with click.Context(main, info_name="arena") as context:
        found = [*commands(main, context)]
    found += [f"exit {code.value} {code.name}" for code in ExitCode]
    found += [setting.name for setting in SETTINGS]
    return sorted(found + re.findall(r"^\| `(arena_\w+)` \|", OPERATING.read_text(), re.MULTILINE))


def commands(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield a command, its options, and the commands below it."""
    yield context.command_path
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield from (f"{context.command_path} {option}" for option in [*parameter.opts, *parameter.secondary_opts])
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found
            with click.Context(found, parent=context, info_name=name) as below:
                yield from commands(found, below)
