"""Options shared by commands about games and bots, and the game itself."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from arena.games.base import Game, Variant
from arena.games.errors import OptionError, shown
from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS, game

Command = TypeVar("Command", bound=Callable[..., Any])


variant_option = click.option(
    "--variant", default=DEFAULT_VARIANT, show_default=True, help="The variant, or a game for its first one."
)
boards_option = click.option(
    "--boards", type=click.IntRange(1, 100), help="Sets of boards per table; the variant's number by default."
)
keep_going_option = click.option(
    "--keep-going", is_flag=True, help="Go on after a bot fails; the arena plays its seat to the end."
)


def option_option(command: Command) -> Command:
    """Add ``--option``, which can be repeated."""
    text = "An option of the game, with a JSON value; repeatable. Setting one of a pair sets the other to null."
    return click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help=text)(command)


def chosen_game(id: str, options: Sequence[str]) -> Game:
    """Return the game or variant named on the command line, with these options. Raises `UsageError`."""
    given = dict(map(_pair, options))
    try:
        if id in VARIANTS:
            return _changed(VARIANTS[id], given)
        if id not in GAMES:
            raise OptionError(_unknown(id))
        return game(id, given)
    except OptionError as error:
        raise click.UsageError(str(error)) from None


def chosen_variant(id: str) -> Variant:
    """Return the variant named on the command line, or the first one of a game. Raises `UsageError`."""
    found = VARIANTS.get(id) or next((one for one in VARIANTS.values() if one.game == id), None)
    if found is None:
        raise click.UsageError(_unknown(id))
    return found


def _changed(variant: Variant, given: Mapping[str, Any]) -> Game:
    """Return the game of a variant with some options changed. Setting one of a pair clears the other."""
    pair = GAMES[variant.game].either
    replaced = pair if any(name in given for name in pair) else ()
    kept = {name: value for name, value in variant.options.items() if name not in replaced}
    return game(variant.game, {**kept, **given})


def _unknown(id: str) -> str:
    return (
        f"there is no game or variant {shown(id)}; the games are {', '.join(GAMES)}, the variants {', '.join(VARIANTS)}"
    )


def _pair(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--option {text!r} must be KEY=VALUE")
    try:
        return key, json.loads(value)
    except ValueError:
        raise click.UsageError(f"--option {text!r}: {value!r} is not a JSON value") from None
