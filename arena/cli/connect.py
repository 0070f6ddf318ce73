"""``arena connect``: let a bot on this machine play at tables of an arena, or check how a client copes with trouble."""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from arena.cli.bots import seed_option
from arena.cli.conformance.run import check_bot, check_client
from arena.exits import ExitCode
from arena.games.divisions import DIVISIONS
from arena.games.registry import DEFAULT_VARIANT
from arena.remote import logins
from arena.remote.connect import WAIT, Connection
from arena.remote.link import Link
from arena.remote.options import VARIANT, arena_option, remote
from arena.remote.packing import read
from arena.remote.picture import Screen
from arena.remote.program import ProgramPlayer, is_program
from arena.remote.shared import SharedBot
from arena.remote.texts import say
from arena.remote.upload import LARGEST
from arena.sdk.player import Player

_OPTIONS: Final = (
    click.option(
        "--variant", "variants", type=VARIANT, multiple=True, help=f"Default: {DEFAULT_VARIANT}, or all if rated."
    ),
    click.option("--length", type=click.Choice(["deal", "match"]), default="match", show_default=True),
    click.option("--strength", type=click.Choice(["easy", "medium", "strong"]), default="medium", show_default=True),
    click.option("--against", multiple=True, metavar="BOT", help="An opponent, repeatable; house bots by default."),
    click.option(
        "--tables", type=click.IntRange(1, 16), default=1, show_default=True,
        help="Tables at a time, and answers to work on at a time.",
    ),
    click.option("--matches", type=click.IntRange(1), help="Matches to play: by default 1, or rated without end."),
    click.option("--as", "name", metavar="NAME", help="Play rated matches, as the bot of this name."),
    click.option("--division", type=click.Choice(list(DIVISIONS)), help="Division of a rated bot: by default quick."),
    click.option("--commit", default="", help="With --as: what runs, as its page says."),
    click.option("--cost", default="", help="With --as: what a match costs, as its page says."),
)  # fmt: skip


def at_tables(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which tables a bot sits at, for `connection_of`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def connection_of(
    link: Link, new_player: Callable[[], Player], *, variants: Sequence[str], against: Sequence[str], tables: int,
    matches: int | None, name: str | None, division: str | None, commit: str, cost: str, model: str = "", **words: Any,
) -> Connection:  # fmt: skip
    """Return a connection for practice, or for rated matches if a bot's name is given. Raises `UsageError`."""
    if name:
        said = {"division": division or next(iter(DIVISIONS)), "commit": commit, "cost": cost, "model": model}
        wish = {"variants": list(variants), **said}
        return Connection(link, new_player, wish, tables, matches or sys.maxsize, bot=name)
    if len(variants) > 1 or division or commit or cost:
        raise click.UsageError("several variants, --division, --commit and --cost are for rated matches: give --as")
    wish = {"bots": against, "variant": next(iter(variants), DEFAULT_VARIANT), **words}
    return Connection(link, new_player, wish, tables, matches or 1)


@click.command()
@click.argument("path", metavar="[BOT]", required=False, type=click.Path(exists=True, path_type=Path))
@at_tables
@click.option("--check", is_flag=True, help="Play against a troublesome mock arena on this machine.")
@seed_option
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="With --check: port of the mock arena.")
@arena_option
def connect(path: Path | None, url: str | None, check: bool, seed: str, port: int, **words: Any) -> int:
    """Let BOT, which runs on this machine, play with bots of an arena: for practice, or with --as for a rating.

    BOT is a Python bot, or an executable program in any language that reads and writes lines of JSON. It runs without
    a cage and without limits, so it can use whatever this machine has. Tables are played side by side: a program has a
    process for each, a Python bot an object in a thread.

    With --as NAME, the arena seats BOT at rated tables of the open division, up to --tables at a time, until Ctrl-C.
    Its moves are timed there by a wall clock. The bot is made at the first start, and a new version of it when
    --commit or --cost change.

    Tables that were not finished go on. If the arena cannot be reached, the command tries again without end. Ctrl-C
    finishes the tables at play; a second one ends at once.

    With --check, BOT plays at a mock arena on this machine, which loses answers, restarts, and is troublesome in other
    ways. Without BOT, the command waits for a client of your own and says what it does wrong. Exits with 1 if there is
    anything. --seed determines the boards and the troubles.
    """
    screen = Screen()
    new_player = _players(path, screen) if path else None
    if check:
        wish = {"variant": next(iter(words["variants"]), DEFAULT_VARIANT), "strength": words["strength"]}
        return check_bot(new_player, wish, seed) if new_player else check_client(seed, port)
    if new_player is None:
        raise click.UsageError("name a BOT, or give --check")
    play(connection_of(link_to(url), new_player, **words), screen)
    return ExitCode.DONE


def link_to(url: str | None) -> Link:
    """Return the way to an arena, with its latest token. Raises as `arena.remote.options.remote`."""
    return Link(remote(url), WAIT, token=lambda: logins.chosen(url)[1])


def play(connection: Connection, screen: Screen) -> None:
    """Let a bot play until all tables are over, and print what came out."""
    with screen.showing(connection), asked_to_end(connection):
        connection.run()
    say(*connection.summary())


def _players(path: Path, screen: Screen) -> Callable[[], Player]:
    """Return what makes players of a bot. A Python bot is loaded here. Raises `Fault` and `UsageError`."""
    if is_program(path):
        return lambda: ProgramPlayer(path, limited=False, errors=screen.errors)
    if path.is_file() and path.suffix not in (".py", ".zip"):
        raise click.UsageError(f"{path} is neither a Python bot nor executable: chmod +x {path}")
    return SharedBot(read(path, LARGEST), path.name).player


@contextmanager
def asked_to_end(connection: Connection) -> Iterator[None]:
    """Let the first Ctrl-C open no more tables, and the second one end."""

    def end(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        connection.end()
        connection.say("finishing the tables at play; Ctrl-C again ends at once")

    before = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
