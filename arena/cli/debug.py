"""``arena debug``: ask a bot again for a move of a match record."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console

from arena.cli.bots import Bare, NamedBot, load_bot, room, seed_bytes, seed_option
from arena.cli.failures import explain, show_output
from arena.cli.position import read_record
from arena.exits import ExitCode
from arena.games.chance import bot_seed
from arena.games.events import Event
from arena.match.clock import Clock, clock_of
from arena.match.record import game_of
from arena.match.views import positions
from arena.remote.texts import json_option, line
from arena.sdk.faults import Fault
from arena.sdk.player import Player, Setup
from arena.settings import Settings
from bots import HOUSE


@click.command()
@click.argument("record", metavar="RECORD")
@click.option("--move", type=click.IntRange(min=0), required=True, help="Index of the move, from 0.")
@click.option(
    "--change",
    metavar="BOT",
    help="Ask this bot; by default the one of the record, if it is a house bot or a file in this folder.",
)
@click.option(
    "--cage/--no-cage",
    default=None,
    help="Run the bot in the cage, the default for a file, or in this process, where breakpoint() works.",
)
@json_option
@seed_option
def debug(record: str, move: int, change: str | None, cage: bool | None, as_json: bool, seed: str) -> int:
    """Show the view exactly as it was sent for a move of the match record RECORD, and ask a bot for its answer.

    It first gets everything that its seat was sent before, so it knows what it knew then; the record's moves are
    played, not its answers. With the seed of `arena play` it has the same random numbers.

    A bot that is a file runs in the cage. breakpoint() needs --no-cage, which runs it in this process, without any
    limit: only for code that you trust. A record may come from a stranger, and so may the names in it.

    Exits with 1 if the bot fails.
    """
    recorded, state = read_record(record, move)
    seat, action = recorded["moves"][move]
    name = recorded["seats"][seat]["name"]
    settings = Settings.from_env()
    bot = load_bot(change or _named(name), settings)
    view = state.view(seat)
    if not as_json:
        click.echo(f"Move {move} of {state.game.id}, seat {seat}, {line(name)}. The view:")
        click.echo(json.dumps(view))
    with room("debug", [bot], not bot.house if cage is None else cage, settings, bare=Bare(limited=False)) as held:
        found = _ask(recorded, held.player(bot.source, seat=seat), move, seed_bytes(seed))
    if as_json:
        fields = {"game": state.game.id, "move": move, "seat": seat, "view": view, "action": action, "bot": bot.name}
        fault = (
            {"kind": found.fault.kind, "detail": found.fault.detail, "line": found.fault.line} if found.fault else None
        )
        answer = {"answer": found.action, "differs": found.differs, "output": found.output, "fault": fault}
        click.echo(json.dumps(fields | answer))
    else:
        _show(bot, action, found)
    return ExitCode.REFUSED if found.fault else ExitCode.DONE


class Found(NamedTuple):
    """Answer of a bot to a question."""

    action: str | None
    """Its answer; None if it failed or was not asked, because the move is forced."""
    differs: list[int]
    """Earlier moves of its seat for which it now answers differently from the record."""
    output: str
    """Text that it printed in the cage; without one it appears at once."""
    fault: Fault | None = None


class Question(NamedTuple):
    """A question to a seat, in the form in which a referee asks it."""

    move: int
    view: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]]
    action: str
    """Answer of the record."""
    forced: bool


def _named(name: str) -> str:
    """Return the house bot or the file of this folder that has this name. Raises `UsageError`.

    The name is foreign, so it is compared with those that exist, and never becomes a path.
    """
    files = (path for path in Path().iterdir() if path.suffix == ".py" and path.is_file() and not path.is_symlink())
    here = {path.stem: str(path) for path in files} | {house: house for house in HOUSE}
    if name not in here:
        raise click.UsageError(
            f"{line(name)} is neither a house bot nor the name of a .py file in this folder: name a bot with --change"
        )
    return here[name]


def _ask(recorded: Mapping[str, Any], player: Player, move: int, root: bytes) -> Found:
    """Ask a player all questions of its seat up to a move."""
    differs, answer, fault = list[int](), None, None
    try:
        for question, answer in _answers(recorded, player, move, root):
            if answer is not None and question.move < move and answer != question.action:
                differs.append(question.move)
    except Fault as failure:
        answer, fault = None, failure
    finally:
        output = player.close().output
    return Found(answer, differs, output, fault)


def _answers(
    recorded: Mapping[str, Any], player: Player, move: int, root: bytes
) -> Iterator[tuple[Question, str | None]]:
    """Yield the questions to a seat up to a move with the player's answers, None if it is not asked. Raises `Fault`."""
    seat = recorded["moves"][move][0]
    names = [one["name"] for one in recorded["seats"]]
    player.start(Setup(recorded["game"], game_of(recorded).options, seat, names, bot_seed(root, 0, seat)))
    player.ready()
    clock, events = Clock(clock_of(game_of(recorded))), list[Mapping[str, Any]]()
    for question in _questions(recorded, seat, move):
        events += question.events if player.wants_events else ()
        answer = None
        if not question.forced or player.wants_forced:
            player.ask(question.view, events, clock.begin(0.0, question.forced))
            events = []
            answer = player.reply().action
            _check(answer, question.view)
        yield question, answer


def _questions(recorded: Mapping[str, Any], seat: int, last: int) -> Iterator[Question]:
    """Yield the questions to a seat up to a move."""
    events: list[Event] = []
    delivered = 0
    for position in positions(recorded, events):
        if position.move > last:
            return
        if position.seat == seat:
            state = position.state
            seen = [event.for_seat(seat) for event in events[delivered:]]
            yield Question(position.move, state.view(seat), seen, position.action, len(state.legal(seat)) == 1)
            delivered = len(events)


def _check(answer: str, view: Mapping[str, Any]) -> None:
    """Raise `Fault` if an answer is not legal."""
    if answer not in view["legal"]:
        raise Fault("illegal", f"act returned {answer!r}; legal were {' '.join(view['legal'])}")


def _show(bot: NamedBot, action: str, found: Found) -> None:
    show_output(Console(), bot.name, found.output)
    if found.differs:
        shown = ", ".join(map(str, found.differs[:5])) + (", …" if len(found.differs) > 5 else "")
        click.echo(f"{bot.name} differs from the record at {len(found.differs)} of its earlier moves: {shown}.")
    if found.fault:
        explain(Console(), f"{bot.name} fails: {found.fault}", found.fault.traceback, None)
    elif found.action is None:
        click.echo(f"The move is forced: {action}. {bot.name} is not asked.")
    else:
        same = "as in the record" if found.action == action else f"the record has {action}"
        click.echo(f"{bot.name} answers {found.action}, {same}.")
