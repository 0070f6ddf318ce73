"""Bots named on the command line, by house name or path, and players for them without a server.

A path is a file, an archive, or a folder, which is packed as its author would pack it for an upload.
"""

import hashlib
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from arena.games.base import Game
from arena.games.errors import ArenaFault, Refused, Unavailable
from arena.remote import logins, packing
from arena.remote.program import ProgramPlayer, is_program
from arena.remote.texts import writing
from arena.sdk.faults import Fault
from arena.sdk.local import LocalPlayer, inspect
from arena.sdk.player import Player
from arena.sdk.upload import check
from arena.services.base.repertoire import Games, plays
from arena.settings import Settings
from bots import HOUSE

if TYPE_CHECKING:
    from arena.sandbox import Cage

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
    program: Path | None = None
    """Path of a program that talks by lines (`arena.remote.program`); None for a Python bot."""


def load_bot(bot: str, settings: Settings, programs: bool = False) -> NamedBot:
    """Load a house bot by name, or a bot by path, or a program in any language if allowed. Raises `UsageError`."""
    path = HOUSE.get(bot, Path(bot))
    if not path.exists():
        raise click.UsageError(f"there is no bot {bot!r}: give the path of a bot, or one of {', '.join(HOUSE)}")
    name = bot if bot in HOUSE else path.absolute().stem
    if programs and is_program(path):
        return NamedBot(name, path.name, _digest(path), house=False, program=path)
    return NamedBot(name, path.name, _source(path, settings), bot in HOUSE)


def _digest(path: Path) -> bytes:
    """Return what stands for a program's source: a comparison that goes on must be of the same one."""
    with _readable(path):
        return hashlib.sha256(path.read_bytes()).digest()


def seed_bytes(seed: str) -> bytes:
    """Derive seed bytes from any text."""
    return hashlib.sha256(seed.encode()).digest()


class Bare(NamedTuple):
    """How bots run without a cage."""

    packages: Collection[str] | None = None
    """The only packages that bots may import besides the arena's; None allows all of this machine."""
    captured: bool = False
    """Whether printed text goes into the report, as it does in the cage."""
    limited: bool = True
    """Whether bots have the limits on CPU time."""


DEBUGGABLE: Final = Bare()
MEASURED: Final = Bare(captured=True)


class Room:
    """Place in which bots play: a cage, or this process without one.

    Implements `arena.services.play.seats.BotCage`.
    """

    level = "none"
    """Level of a cage; nothing is stored here."""

    def __init__(self, bots: Sequence[NamedBot], cage: "Cage | None" = None, bare: Bare = DEBUGGABLE) -> None:
        self._cage = cage
        self._bare = bare
        self._files = {bot.source: bot.file for bot in bots}
        self._programs = {bot.source: bot.program for bot in bots if bot.program}

    @property
    def packages(self) -> Mapping[str, str]:
        """Packages of the cage; none are known without one."""
        return self._cage.packages if self._cage else {}

    def player(self, source: bytes, *, seat: int) -> Player:
        """Return a player for one of the bots. Raises `ArenaFault`."""
        file, bare = self._files[source], self._bare
        if program := self._programs.get(source):
            return ProgramPlayer(program, limited=bare.limited, captured=bare.captured)
        if self._cage:
            return self._cage.player(source, filename=file, seat=seat)
        return LocalPlayer(source, file, limited=bare.limited, packages=bare.packages, captured=bare.captured)

    def inspect(self, source: bytes) -> Games:
        """Load one of the bots, and return the games that it declares. Raises `Fault` and `ArenaFault`."""
        if source in self._programs:
            return None
        file = self._files[source]
        return self._cage.inspect(source, filename=file) if self._cage else inspect(source, file, self._bare.packages)

    def require(self, bots: Sequence[NamedBot], rules: Game) -> None:
        """Check that these bots play a game, as far as they load. Raises `UsageError`."""
        for bot in dict.fromkeys(bots):
            games = self._games(bot)
            if not plays(games, rules.id):
                raise click.UsageError(
                    f"{bot.name} plays {', '.join(games or ()) or 'no game'}, not {rules.id}; "
                    f"house bots that play it: {', '.join(house_bots(rules))}"
                )

    def _games(self, bot: NamedBot) -> Games:
        try:
            return self.inspect(bot.source)
        except Fault:
            return None  # the match will show the fault


def house_bots(rules: Game) -> list[str]:
    """Return the names of the house bots that play a game."""
    return [name for name, path in HOUSE.items() if plays(inspect(path.read_bytes()), rules.id)]


@contextmanager
def room(
    command: str,
    bots: Sequence[NamedBot],
    cage: bool | None,
    settings: Settings,
    *,
    bare: Bare = DEBUGGABLE,
    quiet: bool = False,
) -> Iterator[Room]:
    """Yield a room for these bots: a cage if requested, or by default if any bot is not a house bot.

    If this machine cannot provide a cage, bots run in this process, with a warning unless `quiet`, and once with the
    user's consent. Raises `Unavailable` instead if a cage was requested, or if the cage fails later.
    """

    def warn(sentence: str) -> None:
        if not quiet:
            click.echo(f"arena {command}: {sentence}", err=True)

    try:
        held = _cage(bots, cage, settings, warn)
        if held is None:
            with redirect_stdout(sys.stderr):  # what bots print must not mix with the result of the command
                yield Room(bots, bare=bare)
            return
        with held:
            yield Room(bots, held)
    except ArenaFault as fault:
        raise Unavailable(str(fault)) from None


def _cage(
    bots: Sequence[NamedBot], cage: bool | None, settings: Settings, warn: Callable[[str], None]
) -> "Cage | None":
    """Open a cage; None if none is wanted, or if there can be none. Raises `ArenaFault` if one was requested."""
    uploads = any(not bot.house and not bot.program for bot in bots)
    if not (uploads if cage is None else cage):
        return None
    if settings.insecure:
        warn("insecure, because ARENA_SANDBOX_MINIMUM=none: bots may run without a full cage")
    try:
        return _opened(settings)
    except ArenaFault as fault:
        if cage:
            raise ArenaFault(f"{fault}; --no-cage runs bots without one") from None
        warn(f"this machine cannot provide a cage, so bots run without any limit but that on their time: {fault}")
        _require_consent(str(fault))
        return None


def _require_consent(why: str) -> None:
    """Ask a person on a terminal once, and scripts never, whether bots may run without a cage. Raises `ArenaFault`."""
    agreed = logins.path().with_name("uncaged")
    if agreed.exists() or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return
    if not click.confirm("Bots could then do what you can. Run them, now and from now on?", err=True):
        raise ArenaFault(f"{why}; --no-cage runs bots without one")
    with writing(agreed):
        agreed.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        agreed.touch()


def _opened(settings: Settings) -> "Cage":
    """Open a cage. Raises `ArenaFault` if this machine cannot provide one."""
    if sys.platform != "linux":
        raise ArenaFault("the cage needs Linux")
    # Modules that exist on Linux only.
    from arena.cli.needs import require_descriptors
    from arena.sandbox import Cage
    from arena.sandbox.limits import limits_of

    require_descriptors()
    minimum = "none" if settings.insecure else "one"
    return Cage(minimum, limits=limits_of(settings), packages=settings.bot_packages).open()


def _source(path: Path, settings: Settings) -> bytes:
    with _readable(path):
        upload = packing.read(path, settings.upload_bounds)
        check(upload, settings.upload_bounds)
    return upload


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Raise a `UsageError` if a bot cannot be read, or is not valid."""
    try:
        yield
    except Refused as refused:
        raise click.UsageError(f"{path} is not a valid bot: {refused}") from None
    except OSError as error:
        raise click.UsageError(f"cannot read {error.filename or path}: {error.strerror}") from None
