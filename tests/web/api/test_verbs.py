"""The architecture's table of what pages, programs and commands can do."""

from collections.abc import Iterator

import click

from arena import cli
from tests.web.api import verbs
from web.api.operations import operations
from web.app.resources import RESOURCES

AT_TABLES = ("connect", "models")
"""Commands of the client whose modules are not in its room, because they check clients at a mock arena as well."""


def test_page_has_every_operation_without_a_page_and_every_command() -> None:
    """An operation that no page or form has is in the table, and leaves it when it gets one; so are the commands."""
    assert verbs.table() == verbs.kept(), "The table in docs/architecture.md differs. Run `python -m tests.web.api`."


def test_every_command_of_the_client_is_in_the_table() -> None:
    """Each command that asks an arena names its operations; add new commands to `COMMANDS`."""
    names = {one.name for one in operations(RESOURCES)}

    assert sorted(verbs.COMMANDS) == sorted(_commands())
    assert {name for asked in verbs.COMMANDS.values() for name in asked} <= names


def _commands() -> Iterator[str]:
    """Yield the commands whose modules are in the client."""
    context = click.Context(cli.main)
    for word in cli.COMMANDS:
        if cli.MODULES.get(word, "").startswith("arena.remote.") or word in AT_TABLES:
            command = cli.main.get_command(context, word)
            yield from (f"{word} {name}" for name in command.commands) if isinstance(command, click.Group) else (word,)
