"""``arena check``: validate a bot as an arena validates an upload."""

import json
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console

from arena.cli.bots import Bare, NamedBot, load_bot, room
from arena.cli.failures import at_move, explain, show_output
from arena.exits import ExitCode
from arena.remote.texts import json_option
from arena.sdk.faults import place
from arena.sdk.local import inspect
from arena.services.base.states import VersionState
from arena.services.play.seats import Sitter
from arena.services.play.trial import VALIDATION_TIME, Verdict, examine
from arena.settings import Settings
from bots import HOUSE


@click.command()
@click.argument("bot", metavar="BOT")
@click.option(
    "--cage/--no-cage", default=None, help="Run the bot in the cage, as the arena does; the default if there is one."
)
@json_option
def check(bot: str, cage: bool | None, as_json: bool) -> int:
    """Validate BOT, the path of a bot, with the stages and words of an arena's check of uploads.

    It is loaded, and plays each of its games against itself and against house bots. Exits with 1 if it fails.
    """
    settings = Settings.from_env()
    tried, house = load_bot(bot, settings), [load_bot(name, settings) for name in HOUSE]
    # The name that an upload has, so that the report is the arena's to the letter.
    tried = tried if tried.house else tried._replace(file="bot.py")
    bare = Bare(("numpy", *settings.bot_packages), captured=True)
    with room("check", [tried, *house], cage, settings, bare=bare) as held:
        verdict = examine(
            held, Sitter(1, tried.name, tried.source), [_sitter(one) for one in house], limit=VALIDATION_TIME
        )
    if as_json:
        click.echo(json.dumps(_fields(tried, verdict)))
    else:
        _show(tried, verdict)
    return ExitCode.DONE if verdict.state == VersionState.VALID else ExitCode.REFUSED


def _sitter(bot: NamedBot) -> Sitter:
    return Sitter(0, bot.name, bot.source, inspect(bot.source))


def _fields(bot: NamedBot, verdict: Verdict) -> dict[str, Any]:
    games = None if verdict.games is None else list(verdict.games)
    return {"bot": bot.name, "valid": verdict.state == VersionState.VALID, "games": games, **asdict(verdict.report)}


def _show(bot: NamedBot, verdict: Verdict) -> None:
    """Print the report in the order of the upload's page."""
    report, console = verdict.report, Console()
    where = f"{place(report.line, report.file)}{at_move(report.move)}"
    explain(console, f"{bot.name}: {report.message}{where}", report.traceback, report.view)
    show_output(console, bot.name, report.output)
