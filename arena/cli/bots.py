"""Bots named on the command line, by house name or path, and players for them without a server.

A path is a file, an archive, or a folder, which is packed as its author would pack it for an upload.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

import click

from arena.cli.needs import require_descriptors
from arena.games.errors import ArenaFault, Refused
from arena.remote import packing
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.sdk.local import LocalPlayer
from arena.sdk.player import Player
from arena.sdk.upload import check
from arena.settings import Settings
from bots import HOUSE


class MakePlayer(Protocol):
    """A function that makes players for one match."""

    def __call__(self, source: bytes, filename: str, *, seat: int) -> Player:
        """Return a player for a bot in a seat. `filename` is the name of the bot's file. Raises `ArenaFault`."""


cage_option = click.option(
    "--cage/--no-cage", default=None, help="Run bots in the cage; by default only if one is a file."
)
seed_option = click.option(
    "--seed", default="0", show_default=True, help="Any text; determines the boards and the bots' randomness."
)


class NamedBot(NamedTuple):
    """A bot named on the command line."""

    name: str
    file: str
    """Name of the bot's file."""
    source: bytes
    house: bool


def load_bot(bot: str, settings: Settings) -> NamedBot:
    """Load a house bot by name, or a bot by path. Raises `UsageError`."""
    path = HOUSE.get(bot, Path(bot))
    if not path.exists():
        raise click.UsageError(f"there is no bot {bot!r}: give the path of a bot, or one of {', '.join(HOUSE)}")
    name = bot if bot in HOUSE else path.absolute().stem
    return NamedBot(name, path.name, _source(path, settings), bot in HOUSE)


def seed_bytes(seed: str) -> bytes:
    """Derive seed bytes from any text."""
    return hashlib.sha256(seed.encode()).digest()


@contextmanager
def players(command: str, bots: Sequence[NamedBot], cage: bool | None, settings: Settings) -> Iterator[MakePlayer]:
    """Yield a function that makes players: caged if requested, or by default if any bot is not a house bot.

    If this machine cannot provide a cage, bots run in this process with a warning. Raises `ArenaFault` instead if a
    cage was requested.
    """
    if not (any(not bot.house for bot in bots) if cage is None else cage):
        yield _uncaged
        return
    if settings.insecure:
        click.echo(
            f"arena {command}: insecure, because ARENA_SANDBOX_MINIMUM=none: bots may run without a full cage", err=True
        )
    require_descriptors()
    try:
        held = Cage("none" if settings.insecure else "one", limits=limits_of(settings)).open()
    except ArenaFault as fault:
        if cage:
            raise
        click.echo(
            f"arena {command}: this machine cannot provide a cage, so bots run without limits: {fault}", err=True
        )
        yield _uncaged
        return
    with held:
        yield lambda source, filename, *, seat: held.player(source, filename=filename, seat=seat)


def _uncaged(source: bytes, filename: str, *, seat: int) -> Player:
    return LocalPlayer(source, filename)


def _source(path: Path, settings: Settings) -> bytes:
    try:
        upload = packing.read(path, settings.upload_bounds)
        check(upload, settings.upload_bounds)
    except Refused as refused:
        raise click.UsageError(f"{path} is not a valid bot: {refused}") from None
    except OSError as error:
        raise click.UsageError(f"cannot read {error.filename or path}: {error.strerror}") from None
    return upload
