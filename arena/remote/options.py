"""Options and arguments that the client's commands share."""

import click

from arena.remote import logins
from arena.remote.http import Remote

ID = click.IntRange(1, 2**63 - 1)

arena_option = click.option(
    "--arena", "url", metavar="URL", envvar=logins.ARENA, help="The arena; by default that of the last log-in."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")


def remote(url: str | None) -> Remote:
    """Return the arena with this address, or that of the last log-in, with its token if there is one."""
    return Remote(*logins.chosen(url))
