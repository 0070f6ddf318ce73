"""``arena play``: one match between bots on this machine."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena.cli.botfile import read_bot
from arena.cli.options import chosen_game, option_option
from arena.games.base import Board, Game
from arena.games.chance import board_rng, bot_seed
from arena.games.errors import ArenaFault, Refused
from arena.match.record import encode
from arena.match.referee import Failure, Played
from arena.match.referee import play as referee
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.sdk.local import LocalPlayer
from arena.sdk.player import Player
from arena.settings import Settings
from bots import HOUSE

MakePlayer = Callable[[bytes, str], Player]
"""A player for a bot, whose file has this name."""


@click.command()
@click.argument("id", metavar="GAME")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@option_option
@click.option("--seed", default="0", show_default=True, help="Any text: it decides the boards and the bots' own luck.")
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), help="Write the match record to this file.")
@click.option("--cage/--no-cage", default=None, help="Whether bots run in the cage; by default bot files do.")
def play(
    id: str, bots: tuple[str, ...], options: tuple[str, ...], seed: str, record: Path | None, cage: bool | None
) -> None:
    """Play one match of GAME between bots: names of built-in bots, or paths of bots, one per seat.

    A bot is a Python file, a zip of several files, or the folder that will be zipped.

    The same seed and the same deterministic bots give the same record, byte for byte.
    """
    game = chosen_game(id, options)
    paths = [_path(bot) for bot in bots]
    if len(paths) != game.players:
        raise click.UsageError(f"{id} is played by {game.players} here, and {len(paths)} bots were given")
    names = [bot if bot in HOUSE else Path(bot).absolute().stem for bot in bots]
    settings = Settings.from_env()
    sources = [_source(path, settings) for path in paths]
    wanted = any(bot not in HOUSE for bot in bots) if cage is None else cage
    with _players(wanted, settings, required=cage is True) as player:
        seated = [player(source, path.name) for source, path in zip(sources, paths, strict=True)]
        played = _play(game, seated, names, hashlib.sha256(seed.encode()).digest())
    if record:
        _write(record, encode(played.record))
    _show(played, names)


def _path(bot: str) -> Path:
    path = HOUSE.get(bot, Path(bot))
    if not path.exists():
        raise click.UsageError(f"there is no bot {bot!r}: give a path of a bot, or one of {', '.join(HOUSE)}")
    return path


def _source(path: Path, settings: Settings) -> bytes:
    try:
        return read_bot(path, settings.upload_bounds)
    except Refused as refused:
        raise click.UsageError(f"{path} cannot be a bot: {refused}") from None
    except OSError as error:
        raise click.UsageError(f"cannot read {error.filename or path}: {error.strerror}") from None


@contextmanager
def _players(caged: bool, settings: Settings, required: bool) -> Iterator[MakePlayer]:
    """How to seat a bot. Without a cage on this machine bots run in this process, and that is said."""
    if not caged:
        yield LocalPlayer
        return
    if settings.insecure:
        click.echo(
            "arena play: insecure, because ARENA_SANDBOX_MINIMUM=none: bots may run without a full cage", err=True
        )
    try:
        cage = Cage("none" if settings.insecure else "one", limits=limits_of(settings)).open()
    except ArenaFault as fault:
        if required:
            raise
        click.echo(f"arena play: no cage on this machine, so the bots run without limits: {fault}", err=True)
        yield LocalPlayer
        return
    with cage:
        yield lambda source, name: cage.player(source, filename=name)


def _play(game: Game, players: Sequence[Player], names: Sequence[str], seed: bytes) -> Played:
    def draw(index: int) -> Board:
        return game.draw_board(index, board_rng(seed, index))

    return referee(game, players, names, draw, [bot_seed(seed, 0, seat) for seat in range(game.players)])


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise click.UsageError(f"cannot write {path}: {error.strerror}") from None


def _show(played: Played, names: Sequence[str]) -> None:
    table = Table("seat", "bot", "score", "rank", "CPU seconds", "fault")
    scores, ranks = played.record["scores"], played.record["ranks"]
    for seat, name in enumerate(names):
        failure = played.failures[seat]
        fault = f"{failure.fault.kind}, from move {failure.move} on" if failure else ""
        cpu = f"{sum(played.times[seat]):.3f}"
        table.add_row(str(seat), escape(name), str(scores[seat]), str(ranks[seat]), cpu, fault)
    console = Console()
    console.print(table)
    if "result" in played.record:
        dummies = ", ".join(map(str, played.record["dummy_scores"]))
        console.print(f"A {played.record['result']}; the dummies have {dummies} points.", highlight=False)
    for seat, failure in enumerate(played.failures):
        if failure:
            _explain(console, f"{names[seat]} in seat {seat}", failure)


def _explain(console: Console, who: str, failure: Failure) -> None:
    console.print(f"{who}: {failure.fault}", markup=False)
    if failure.fault.traceback:
        console.print(failure.fault.traceback, markup=False, highlight=False)
