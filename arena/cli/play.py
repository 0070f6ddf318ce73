"""``arena play``: play one match between bots on this machine."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena.cli.bots import DEBUGGABLE, MEASURED, cage_option, load_bot, room, seed_bytes, seed_option
from arena.cli.failures import at_move, explain, show_output
from arena.cli.options import chosen_game, option_option
from arena.cli.screen import watch
from arena.exits import ExitCode
from arena.games.base import Board, Game
from arena.games.chance import board_rng, bot_seed
from arena.match.record import encode
from arena.match.referee import Played
from arena.match.referee import play as referee
from arena.remote.texts import json_option
from arena.sdk.player import Player, SeatReport
from arena.settings import Settings

record_option = click.option(
    "--record", type=click.Path(dir_okay=False, path_type=Path), help="Write the match record to this file."
)


@click.command()
@click.argument("id", metavar="GAME")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@option_option
@seed_option
@record_option
@click.option(
    "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write all that bots printed to this file."
)
@click.option("--watch", "watched", is_flag=True, help="Show the match card by card, with a key from step to step.")
@json_option
@cage_option
def play(
    id: str,
    bots: tuple[str, ...],
    options: tuple[str, ...],
    seed: str,
    record: Path | None,
    output: Path | None,
    watched: bool,
    as_json: bool,
    cage: bool | None,
) -> int:
    """Play one match of GAME, a game or a variant, between bots: names of built-in bots, or paths, one per seat.

    A bot is a Python file, a zip of several files, or a folder with the contents of such a zip. Any other executable
    file is a program in any language, which reads and writes lines of JSON and runs without a cage.

    The same seed and the same deterministic bots give the same record, byte for byte.

    Shows the last lines that bots printed and, if one failed, the view that it was sent. Exits with 1 if a bot failed.
    """
    if watched and as_json:
        raise click.UsageError("choose one of --watch and --json")
    game = chosen_game(id, options)
    settings = Settings.from_env()
    if len(bots) != game.players:
        raise click.UsageError(f"{id} needs {game.players} bots with these options; you gave {len(bots)}")
    given = [load_bot(bot, settings, programs=True) for bot in bots]
    names = [bot.name for bot in given]
    with room("play", given, cage, settings, bare=MEASURED if output else DEBUGGABLE) as held:
        held.require(given, game)
        seated = [held.player(bot.source, seat=seat) for seat, bot in enumerate(given)]
        played = _play(game, seated, names, seed_bytes(seed))
    if record:
        write(record, encode(played.record))
    if output:
        write(output, "".join(map(_printed, names, played.reports)).encode())
    if watched:
        watch(played.record)
    return show(played, names, as_json=as_json)


def _play(game: Game, players: Sequence[Player], names: Sequence[str], seed: bytes) -> Played:
    def draw(index: int) -> Board:
        return game.draw_board(index, board_rng(seed, index))

    return referee(game, players, names, draw, [bot_seed(seed, 0, seat) for seat in range(game.players)])


def _printed(name: str, report: SeatReport) -> str:
    """Return all that the bot of a seat printed, under its name."""
    return f"{name}:\n{report.output.rstrip()}\n" if report.output else ""


def write(path: Path, data: bytes) -> None:
    """Write a file. Raises `UsageError`."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise click.UsageError(f"cannot write {path}: {error.strerror}") from None


def show(played: Played, names: Sequence[str], *, as_json: bool = False) -> ExitCode:
    """Print the result of a match, what bots printed, and why bots failed. Returns the exit code."""
    if as_json:
        click.echo(json.dumps(_fields(played, names)))
    else:
        _print(played, names)
    return ExitCode.REFUSED if any(played.failures) else ExitCode.DONE


def _fields(played: Played, names: Sequence[str]) -> dict[str, Any]:
    """Return the result as JSON fields."""
    kept = ("game", "options", "result", "dummy_scores")
    seats = [_seat(played, seat, name) for seat, name in enumerate(names)]
    return {**{key: played.record[key] for key in kept if key in played.record}, "seats": seats}


def _seat(played: Played, seat: int, name: str) -> dict[str, Any]:
    failure, report = played.failures[seat], played.reports[seat]
    fault = None
    if failure:
        shown = {key: getattr(failure.fault, key) for key in ("kind", "detail", "file", "line", "traceback")}
        fault = {**shown, "move": failure.move, "view": failure.view}
    return {
        "bot": name, "score": played.record["scores"][seat], "rank": played.record["ranks"][seat],
        "cpu": report.cpu, "wall": played.walls[seat], "output": report.output, "fault": fault,
    }  # fmt: skip


def _print(played: Played, names: Sequence[str]) -> None:
    table = Table("seat", "bot", "score", "rank", "CPU seconds", "real seconds", "fault")
    scores, ranks = played.record["scores"], played.record["ranks"]
    for seat, name in enumerate(names):
        failure = played.failures[seat]
        fault = f"{failure.fault.kind}, from move {failure.move} on" if failure else ""
        cpu, wall = f"{played.reports[seat].cpu:.3f}", f"{played.walls[seat]:.3f}"
        table.add_row(str(seat), escape(name), str(scores[seat]), str(ranks[seat]), cpu, wall, fault)
    console = Console()
    console.print(table)
    if "result" in played.record:
        dummies = ", ".join(map(str, played.record["dummy_scores"]))
        console.print(f"A {played.record['result']}; the dummies have {dummies} points.", highlight=False)
    for seat, (name, report) in enumerate(zip(names, played.reports, strict=True)):
        show_output(console, f"{name} in seat {seat}", report.output)
    for seat, failed in enumerate(played.failures):
        if failed:
            sentence = f"{names[seat]} in seat {seat}: {failed.fault}{failed.fault.place}{at_move(failed.move)}"
            explain(console, sentence, failed.fault.traceback, failed.view)
