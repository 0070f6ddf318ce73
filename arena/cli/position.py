"""``arena position``: re-create a position of a match record, and play on from it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from arena.cli.bots import cage_option, load_bot, room, seed_bytes, seed_option
from arena.cli.play import record_option, show, write
from arena.exits import ExitCode
from arena.games.base import State
from arena.games.chance import bot_seed
from arena.games.errors import RecordError
from arena.match.continuation import boards_of, resume
from arena.match.record import encode, parse
from arena.match.referee import play
from arena.match.replay import state_before, verify
from arena.remote.texts import json_option
from arena.settings import Settings


@click.command()
@click.argument("file", metavar="FILE")
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@click.option("--move", type=int, default=0, show_default=True, help="Index of the move that is due, from 0.")
@seed_option
@record_option
@json_option
@cage_option
def position(
    file: str, bots: tuple[str, ...], move: int, seed: str, record: Path | None, as_json: bool, cage: bool | None
) -> int:
    """Re-create a position of the match record FILE.

    Without bots, print it as a line of JSON: the seat to move, its view as it was sent, and the action of the record.

    With bots, one per seat, repeat the moves of the record before this one, and let the bots play on from there, with
    all their time left and on the boards of the record. A board that the record does not have is drawn from the seed.
    """
    recorded, state = read_record(file, move)
    if not bots:
        click.echo(json.dumps(_shown(recorded, state, move)))
        return ExitCode.DONE
    if len(bots) != state.game.players:
        raise click.UsageError(f"this match needs {state.game.players} bots, one per seat; you gave {len(bots)}")
    settings, root = Settings.from_env(), seed_bytes(seed)
    given = [load_bot(bot, settings) for bot in bots]
    names = [bot.name for bot in given]
    with room("position", given, cage, settings) as held:
        held.require(given, state.game)
        seated = resume(recorded, move, [held.player(bot.source, seat=seat) for seat, bot in enumerate(given)])
        seeds = [bot_seed(root, 0, seat) for seat in range(len(given))]
        played = play(state.game, seated, names, boards_of(recorded, state.game, root), seeds)
    if record:
        write(record, encode(played.record))
    return show(played, names, as_json=as_json)


def read_record(file: str, move: int) -> tuple[dict[str, Any], State]:
    """Return a record and the state before one of its moves. Raises `UsageError`."""
    try:
        data = Path(file).read_bytes()
        verify(data)
        recorded = parse(data)
        return recorded, state_before(recorded, move)
    except OSError as error:
        raise click.UsageError(f"cannot read {click.format_filename(file)}: {error.strerror}") from None
    except RecordError as error:
        raise click.UsageError(f"{click.format_filename(file)}: {error}") from None


def _shown(recorded: Mapping[str, Any], state: State, move: int) -> dict[str, Any]:
    seat, action = recorded["moves"][move]
    return {"game": state.game.id, "move": move, "seat": seat, "view": state.view(seat), "action": action}
