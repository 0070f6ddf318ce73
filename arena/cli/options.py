"""Options shared by commands about games: ``--option KEY=VALUE`` and the game itself."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from arena.games.base import Game
from arena.games.errors import OptionError
from arena.games.registry import game

Command = TypeVar("Command", bound=Callable[..., Any])


def option_option(command: Command) -> Command:
    """Add ``--option``, which can be repeated."""
    text = "An option of the game, with a JSON value; repeatable. Setting one of a pair sets the other to null."
    return click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help=text)(command)


def chosen_game(id: str, options: Sequence[str]) -> Game:
    """Return the game named on the command line. Raises `UsageError`."""
    try:
        return game(id, dict(map(_pair, options)))
    except OptionError as error:
        raise click.UsageError(str(error)) from None


def _pair(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--option {text!r} must be KEY=VALUE")
    try:
        return key, json.loads(value)
    except ValueError:
        raise click.UsageError(f"--option {text!r}: {value!r} is not a JSON value") from None
