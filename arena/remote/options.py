"""Options and arguments that the client's commands share, and the arena and the output of a command."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import wraps
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar, cast

import click

from arena.games.errors import ArenaError, Unavailable
from arena.games.registry import VARIANTS
from arena.release import release
from arena.remote import logins
from arena.remote.http import Remote
from arena.remote.texts import json_option, line, say, say_json

Command = TypeVar("Command", bound=Callable[..., Any])
SHOWN: Final = 200
"""Characters of an error that are shown."""
PAGE: Final = 50
"""Rows of a page of a list."""
LOCAL: Final = "arena.remote.local"
"""Key of the flag ``--local`` in the context of a command."""

ID = click.IntRange(1, 2**63 - 1)

VARIANT = click.Choice(list(VARIANTS))

page_option = click.option("--page", type=click.IntRange(1), default=1, show_default=True, help="Page of 50 rows.")


class Timestamp(click.ParamType[datetime]):
    """An ISO 8601 date and time, in UTC if it has no offset."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        try:
            time = datetime.fromisoformat(value)
            return time if time.tzinfo else time.replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is not a time such as 2030-01-31T18:00+01:00", param, ctx)


class Result(NamedTuple):
    """Output of a command."""

    value: Any
    """With ``--json``."""
    lines: Iterable[str]
    """Otherwise."""


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
            own = release()
            raise Unavailable(f"The arena's answer is not as release {own} expects it ({reason}).") from error

    return cast("Command", run)


def arena_option(command: Command) -> Command:
    """Add ``--arena URL`` and ``--local`` to a command that asks an arena, by default that of the last log-in."""
    return _arena_options(command, "that of the last log-in")


def own_arena_option(command: Command) -> Command:
    """Add ``--arena URL`` and ``--local`` to a command that asks an arena, by default this machine's."""
    return _arena_options(command, "this machine's")


def _arena_options(command: Command, usual: str) -> Command:
    text = f"The arena; by default {usual}."
    local = click.option(
        "--local", is_flag=True, expose_value=False, callback=_remember, is_eager=True,
        help=f"This machine's arena, even if {logins.ARENA} is set.",
    )  # fmt: skip
    return click.option("--arena", "url", metavar="URL", envvar=logins.ARENA, help=text)(local(understood(command)))


def _remember(context: click.Context, _: click.Parameter, local: bool) -> None:
    context.meta[LOCAL] = local


def prints(command: Callable[..., Result]) -> Callable[..., None]:
    """Make a command of a function that takes an arena and returns a result: add ``--json`` and `own_arena_option`."""

    @wraps(command)
    def run(*args: Any, url: str | None, as_json: bool, **words: Any) -> None:
        value, lines = command(own_or_remote(url), *args, **words)
        if as_json:
            say_json(value)
        else:
            say(*lines)

    return own_arena_option(json_option(run))


def remote(url: str | None) -> Remote:
    """Return the arena with this address, or that of the last log-in, with its token if there is one.

    With ``--local`` it is this machine's arena.
    """
    return _own() if _is_local(url) else Remote(*logins.chosen(url))


def own_or_remote(url: str | None) -> Remote:
    """Return the arena with this address, with the token for it if there is one, or else this machine's arena."""
    return _own() if _is_local(url) or not url else Remote(*logins.chosen(url))


def _is_local(url: str | None) -> bool:
    """Return whether ``--local`` is given. Raises `UsageError` if ``--arena`` is, too."""
    context = click.get_current_context()
    named = context.get_parameter_source("url") is click.core.ParameterSource.COMMANDLINE
    if context.meta[LOCAL] and named:
        raise click.UsageError("--arena and --local exclude each other")
    return bool(context.meta[LOCAL])


def _own() -> Remote:
    """Return this machine's arena, until the command ends. The group `arena` opens it: the client needs no server."""
    context = click.get_current_context()
    return cast("Remote", context.with_resource(context.find_root().obj()))


def part(arena: Remote, path: str, page: int, **query: object) -> list[Any]:
    """Return a page of a list, numbered from 1."""
    return list(islice(arena.items(path, limit=PAGE, **query), PAGE * (page - 1), PAGE * page))


def segment(text: str) -> str:
    """Return a word as a part of a path. Raises `UsageError` if it cannot be one."""
    if not text.replace("-", "").replace("_", "").isalnum():
        raise click.UsageError(f"{text!r} is neither the ID of a tournament nor a variant such as suitability-4")
    return text
