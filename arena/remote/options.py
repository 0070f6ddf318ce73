"""Options and arguments that the client's commands share."""

from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from typing import Any, Final, TypeVar, cast

import click

from arena.games.errors import ArenaError, Unavailable
from arena.remote import logins
from arena.remote.http import Remote
from arena.remote.texts import line

Command = TypeVar("Command", bound=Callable[..., Any])
SHOWN: Final = 200
"""Characters of an error that are shown."""

ID = click.IntRange(1, 2**63 - 1)

json_option = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")


def understood(command: Command) -> Command:
    """Let a command end with a sentence if an answer has another shape than the client expects."""

    @wraps(command)
    def run(*args: Any, **words: Any) -> Any:
        try:
            return command(*args, **words)
        except ArenaError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            reason = line(f"{type(error).__name__}: {error}")[:SHOWN]
            own = version("suit-arena")
            raise Unavailable(f"The arena's answer is not as release {own} expects it ({reason}).") from error

    return cast("Command", run)


def arena_option(command: Command) -> Command:
    """Add ``--arena URL`` to a command that asks an arena."""
    text = "The arena; by default that of the last log-in."
    return click.option("--arena", "url", metavar="URL", envvar=logins.ARENA, help=text)(understood(command))


def remote(url: str | None) -> Remote:
    """Return the arena with this address, or that of the last log-in, with its token if there is one."""
    return Remote(*logins.chosen(url))


def segment(text: str) -> str:
    """Return a word as a part of a path. Raises `UsageError` if it cannot be one."""
    if not text.replace("-", "").replace("_", "").isalnum():
        raise click.UsageError(f"{text!r} is neither the ID of a tournament nor a variant such as suitability-4")
    return text
