"""What commands about games share: ``--option KEY=VALUE`` and naming a game."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from arena.games.base import Game
from arena.games.errors import OptionError
from arena.games.registry import game

Command = TypeVar("Command", bound=Callable[..., Any])


def option_option(command: Command) -> Command:
    """Adds ``--option``, which may be given several times."""
    text = "An option of the game; the value is JSON. Setting one of a pair sets the other to null."
    return click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help=text)(command)


def chosen_game(id: str, options: Sequence[str]) -> Game:
    """The game that the command line names. Raises UsageError."""
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
