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


def segment(text: str) -> str:
    """Return a word as a part of a path. Raises `UsageError` if it cannot be one."""
    if not text.replace("-", "").replace("_", "").isalnum():
        raise click.UsageError(f"{text!r} is neither the ID of a tournament nor a variant such as suitability-4")
    return text
