"""Plans of tournaments and schedules as options of commands, and as bodies for the API."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import click

from arena.games.registry import DEFAULT_VARIANT
from arena.remote.http import Remote
from arena.remote.names import bot_id
from arena.remote.options import VARIANT, Command

ANY: Final = {"ignore_unknown_options": True, "allow_extra_args": True}
"""Settings of commands that take the numbers of a format as options, which only the arena knows."""
NUMBERS: Final = "Its numbers are options as well, such as --rounds 3: see `arena tournament formats`."


def plan_options(command: Command) -> Command:
    """Add the options that `plan` reads. Options with a number, such as ``--rounds 3``, are those of the format."""
    options: list[Callable[..., Any]] = [
        click.argument("name"),
        click.option("--variant", type=VARIANT, default=DEFAULT_VARIANT, show_default=True),
        click.option("--format", default="round_robin", show_default=True, help=NUMBERS),
        click.option("--boards", type=int, help="Sets of boards per table; the variant's number by default."),
        click.option("--seatings", default="rotations", show_default=True, help="rotations, all or single."),
        click.option(
            "--entries", default="all", show_default=True,
            help="The entries if no --bot is given: all, or one_per_owner.",
        ),
        click.option("--bot", "bots", multiple=True, metavar="NAME", help="Enter this bot; repeatable."),
        click.option("--fault-cap", type=int, help="Withdraw a bot after more than this many failed matches."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def plan(arena: Remote, words: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a plan with all its fields. Raises `UsageError` and `NotFound`."""
    numbers = shape(click.get_current_context().args)
    bots = words.pop("bots")
    entries = words.pop("entries")
    chosen = [bot_id(arena, name) for name in bots] or None
    return {**words, "shape": numbers, "entry_rule": "chosen" if bots else entries, "chosen": chosen}


def shape(extra: Sequence[str]) -> dict[str, int]:
    """Return the numbers of a format from options such as ``--rounds 3``. Raises `UsageError`."""
    words = [word for one in extra for word in one.split("=", 1)]
    names, values = words[::2], words[1::2]
    try:
        if len(names) != len(values) or not all(name.startswith("--") for name in names):
            raise ValueError
        return {name[2:].replace("-", "_"): int(value) for name, value in zip(names, values, strict=True)}
    except ValueError:
        given = " ".join(extra)
        raise click.UsageError(f"{given!r} is not a row of options with numbers, such as --rounds 3") from None
