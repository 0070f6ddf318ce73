"""Bots that a command line names: those of the house, or files of the author's, and how they are seated at home."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click

from arena.cli.botfile import read_bot
from arena.games.errors import ArenaFault, Refused
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.sdk.local import LocalPlayer
from arena.sdk.player import Player
from arena.settings import Settings
from bots import HOUSE

MakePlayer = Callable[[bytes, str], Player]
"""A player for a bot, whose file has this name."""

cage_option = click.option(
    "--cage/--no-cage", default=None, help="Whether bots run in the cage; by default bot files do."
)
seed_option = click.option(
    "--seed", default="0", show_default=True, help="Any text: it decides the boards and the bots' own luck."
)


class GivenBot(NamedTuple):
    """A bot that was named."""

    name: str
    file: str
    """The name of its file."""
    source: bytes
    house: bool


def given_bot(bot: str, settings: Settings) -> GivenBot:
    """A house bot by its name, or a bot by its path. Raises UsageError."""
    path = HOUSE.get(bot, Path(bot))
    if not path.exists():
        raise click.UsageError(f"there is no bot {bot!r}: give a path of a bot, or one of {', '.join(HOUSE)}")
    name = bot if bot in HOUSE else path.absolute().stem
    return GivenBot(name, path.name, _source(path, settings), bot in HOUSE)


def root(seed: str) -> bytes:
    """The seed that a text stands for."""
    return hashlib.sha256(seed.encode()).digest()


@contextmanager
def players(command: str, bots: Sequence[GivenBot], cage: bool | None, settings: Settings) -> Iterator[MakePlayer]:
    """How to seat bots: in the cage where that is asked for, or not said and a bot is a stranger.

    Without a cage on this machine bots run in this process, and that is said, or refused where a cage was asked for.
    """
    if not (any(not bot.house for bot in bots) if cage is None else cage):
        yield LocalPlayer
        return
    if settings.insecure:
        click.echo(
            f"arena {command}: insecure, because ARENA_SANDBOX_MINIMUM=none: bots may run without a full cage", err=True
        )
    try:
        held = Cage("none" if settings.insecure else "one", limits=limits_of(settings)).open()
    except ArenaFault as fault:
        if cage:
            raise
        click.echo(f"arena {command}: no cage on this machine, so the bots run without limits: {fault}", err=True)
        yield LocalPlayer
        return
    with held:
        yield lambda source, name: held.player(source, filename=name)


def _source(path: Path, settings: Settings) -> bytes:
    try:
        return read_bot(path, settings.upload_bounds)
    except Refused as refused:
        raise click.UsageError(f"{path} cannot be a bot: {refused}") from None
    except OSError as error:
        raise click.UsageError(f"cannot read {error.filename or path}: {error.strerror}") from None
