"""Names that scripts, clients and bots use."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from arena.cli import main
from arena.exits import ExitCode
from arena.games.base import Game
from arena.games.events import Event
from arena.games.registry import VARIANTS, rules_of
from arena.mcp.tools import TOOLS
from arena.services.events.kinds import EventKind
from arena.settings import SETTINGS
from tests.positions import positions

OPERATING = Path(__file__).parents[2] / "docs/operating.md"


def names() -> list[str]:
    """Return the names of this release, sorted.

    They are those of commands and options, exit codes, settings, metrics, tools of language models, events of the
    arena, and fields of views and of events of games.
    """
    with click.Context(main, info_name="arena") as context:
        found = [*commands(main, context)]
    found += [f"exit {code.value} {code.name}" for code in ExitCode]
    found += [setting.name for setting in SETTINGS]
    found += [f"tool {name}" for name in TOOLS] + [f"event {kind}" for kind in EventKind]
    found += {name for rules in map(rules_of, VARIANTS) for name in seen(rules)}
    return sorted(found + re.findall(r"^\| `(arena_\w+)` \|", OPERATING.read_text(), re.MULTILINE))


def seen(rules: Game) -> Iterator[str]:
    """Yield the fields of views and the kinds and facts of events in a random match."""
    events: list[Event] = []
    for state in positions(rules, 1, rules.start(events)):
        yield from (f"view {rules.id} {field}" for field in state.view(state.seat))
    for event in events:
        yield from (f"happens {rules.id} {event.kind} {part}" for part in (*event.for_seat(0), *event.facts))


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
