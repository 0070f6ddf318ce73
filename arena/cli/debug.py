"""``arena debug``: ask a bot in this process for a move of a match record, so that a debugger works."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console

from arena.cli.bots import NamedBot, load_bot, seed_bytes, seed_option
from arena.cli.failures import explain
from arena.cli.options import json_option
from arena.cli.position import read_record
from arena.exits import ExitCode
from arena.games.chance import bot_seed
from arena.games.events import Event
from arena.games.registry import game
from arena.match.clock import Clock, clock_of
from arena.match.views import positions
from arena.sdk.faults import Fault
from arena.sdk.local import LocalPlayer
from arena.sdk.player import Setup
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
@json_option
@seed_option
def debug(record: str, move: int, change: str | None, as_json: bool, seed: str) -> int:
    """Show the view exactly as it was sent for a move of the match record RECORD, and ask a bot for its answer.

    The bot runs in this process without a cage or a clock, so breakpoint() and print work: trust its code. It first
    gets everything that its seat was sent before, so it knows what it knew then; the record's moves are played, not its
    answers. With the seed of `arena play` it has the same random numbers.

    Exits with 1 if the bot fails.
    """
    recorded, state = read_record(record, move)
    seat, action = recorded["moves"][move]
    bot = _bot(change, recorded["seats"][seat]["name"])
    view = state.view(seat)
    if not as_json:
        click.echo(f"Move {move} of {state.game.id}, seat {seat}, {recorded['seats'][seat]['name']}. The view:")
        click.echo(json.dumps(view))
    with redirect_stdout(sys.stderr) if as_json else nullcontext():
        found = _ask(recorded, bot, move, seed_bytes(seed))
    if as_json:
        fields = {"game": state.game.id, "move": move, "seat": seat, "view": view, "action": action, "bot": bot.name}
        fault = (
            {"kind": found.fault.kind, "detail": found.fault.detail, "line": found.fault.line} if found.fault else None
        )
        click.echo(json.dumps({**fields, "answer": found.action, "differs": found.differs, "fault": fault}))
    else:
        _show(bot, action, found)
    return ExitCode.REFUSED if found.fault else ExitCode.DONE


class Found(NamedTuple):
    """Answer of a bot to a question."""

    action: str | None
    """Its answer; None if it failed or was not asked, because the move is forced."""
    differs: list[int]
    """Earlier moves of its seat for which it now answers differently from the record."""
    fault: Fault | None = None


class Question(NamedTuple):
    """A question to a seat, in the form in which a referee asks it."""

    move: int
    view: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]]
    action: str
    """Answer of the record."""
    forced: bool


def _bot(change: str | None, name: str) -> NamedBot:
    """Return the bot to ask. Raises `UsageError`."""
    file = Path(f"{name}.py")
    if change is None and name not in HOUSE and not file.exists():
        raise click.UsageError(
            f"{name} is neither a house bot nor a file {file} in this folder: name a bot with --change"
        )
    return load_bot(change or (name if name in HOUSE else str(file)), Settings.from_env())


def _ask(recorded: Mapping[str, Any], bot: NamedBot, move: int, root: bytes) -> Found:
    """Ask a bot all questions of its seat up to a move."""
    seat = recorded["moves"][move][0]
    names = [one["name"] for one in recorded["seats"]]
    player = LocalPlayer(bot.source, bot.file, limited=False)
    differs, answer = list[int](), None
    try:
        player.start(Setup(recorded["game"], recorded["options"], seat, names, bot_seed(root, 0, seat)))
        player.ready()
        clock, events = Clock(clock_of(game(recorded["game"], recorded["options"]))), list[Mapping[str, Any]]()
        for question in _questions(recorded, seat, move):
            events += question.events if player.wants_events else ()
            answer = None
            if question.forced and not player.wants_forced:
                continue
            player.ask(question.view, events, clock.begin(0.0, question.forced))
            events = []
            answer = player.reply().action
            _check(answer, question.view)
            if question.move < move and answer != question.action:
                differs.append(question.move)
    except Fault as fault:
        return Found(None, differs, fault)
    finally:
        player.close()
    return Found(answer, differs)


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
