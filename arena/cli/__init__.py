"""The `arena` command. Each subcommand's module is imported only when it runs.

Therefore `arena verify` is quick and needs only the standard library and Click. Exit codes are those of `ExitCode`;
an error is one line on stderr.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from arena import rooms  # noqa: F401 -- finds bots, workers and web
from arena.cli.plain import soften
from arena.exits import ExitCode, stop, worded
from arena.games.errors import Unavailable

if TYPE_CHECKING:
    from arena.remote.http import Remote  # takes a moment

COMMANDS: dict[str, str] = {
    "up": "Start the whole arena on this machine.",
    "login": "Log in to an arena.",
    "logout": "Log out of an arena.",
    "upload": "Upload a bot to an arena.",
    "status": "Show your bots on an arena.",
    "logs": "Show the report of a bot's check.",
    "standings": "Show a leaderboard, or the standings of a tournament.",
    "watch": "Watch a tournament until it ends.",
    "fetch": "Download match records from an arena.",
    "init": "Write a first bot, and a test of it.",
    "check": "Validate a bot as an arena validates uploads.",
    "play": "Play a match between bots on this machine.",
    "bench": "Measure a bot against others.",
    "compare": "Decide whether one bot is better than another.",
    "debug": "Ask a bot for a move of a match record, in a debugger.",
    "replay": "Show a match record in the browser.",
    "verify": "Check match records against the rules.",
    "verify-seed": "Check the boards of a tournament against its seed.",
    "trace": "Show a match record step by step.",
    "text": "Print a match record as card players write it.",
    "analyse": "Show where bots lost points in a match record.",
    "dataset": "Play matches between house bots, as data to learn from.",
    "position": "Show a position of a match record, or play on from it.",
    "random-records": "Write records of matches of random moves.",
    "config": "Show the settings in force.",
    "doctor": "Show how well this machine's sandbox holds.",
    "capacity": "Show what a number of tables a minute needs.",
    "fsck": "Check the consistency of the database.",
    "account": "Reset an account's password, or change its rights.",
    "member": "Look up members, and disable or enable them.",
    "bot": "Rename, archive, delete or disable bots, and list uploads.",
    "announcement": "Post and end announcements on every page.",
    "audit": "Show what organisers and administrators did.",
    "group": "Manage groups of members, such as classes.",
    "invite": "Manage invitation links.",
    "platform": "Connect platforms for learning, such as Moodle.",
    "tournament": "Create, watch and manage tournaments.",
    "trial": "Play unrated matches of a bot.",
    "connect": "Let a program on this machine play at an arena's tables.",
    "mcp": "Let a language model play, and write bots.",
    "models": "Let a language model play at an arena's tables.",
    "schedule": "Create and manage recurring tournaments.",
    "copies": "Compare all bots, and list alike pairs.",
    "assignment": "Create and grade assignments of classes.",
    "ratings": "Check, rebuild or tune the ratings.",
    "tallies": "Check or rebuild the tallies of the results.",
    "export": "Write rated results as records and Parquet files.",
    "import": "Add the results of an export, or match records.",
    "backup": "Write the whole arena to one file.",
    "restore": "Fill the database from a backup.",
    "migrate-store": "Move an arena to another database.",
    "prune": "Delete old logs, trials, and sources of rejected bots.",
    "migrate": "Create or upgrade the database.",
    "web": "Run the web server alone.",
    "worker": "Run this machine's workers alone.",
    "live": "Run a host of live tables alone.",
    "beat": "Run the clock alone.",
}
"""Commands and their lines in `arena --help`, in this order."""

MODULES = {
    **dict.fromkeys(("web", "worker", "live", "beat"), "arena.cli.alone"),
    **dict.fromkeys(("restore", "migrate_store"), "arena.cli.backup"),
    **dict.fromkeys(("trace", "text"), "arena.cli.verify"),
    "import": "arena.cli.import_",
    "replay": "web.tables.replay",
    **dict.fromkeys(("login", "logout"), "arena.remote.login"),
    **dict.fromkeys(("status", "logs", "standings"), "arena.remote.reading"),
    **{word: f"arena.remote.{word}" for word in ("upload", "watch", "fetch", "export", "mcp")},
    **{word: f"arena.remote.{word}" for word in ("tournament", "trial", "schedule", "assignment", "bot")},
    **{word: f"arena.remote.{word}" for word in ("member", "group", "invite", "announcement")},
}
"""Modules of the commands that are not in a module of their own name."""

NAMES = {"import": "import_", "replay": "show"}
"""Names in their modules of the commands that are called otherwise there."""


KIT = (
    "login", "logout", "upload", "status", "logs", "standings", "watch", "fetch", "init", "check", "play", "bench",
    "compare", "debug", "verify", "trace", "text", "analyse", "dataset", "position", "random-records", "doctor",
    "export", "tournament", "trial", "connect", "mcp", "models",
    "schedule", "assignment", "bot", "member", "group", "invite", "announcement",
)  # fmt: skip
"""Commands that need no part of the server, at least for an arena on another machine.

The others need the extra ``server``.
"""

_SERVER = ("celery", "flask_limiter", "sqlalchemy")
"""Modules that tell whether the extra ``server`` is installed. One alone may be there for another package."""


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None if it does not exist."""
        if cmd_name not in COMMANDS:
            return None
        _require_parts(cmd_name)
        word = cmd_name.replace("-", "_")
        module = import_module(MODULES.get(word, f"arena.cli.{word}"))
        command: click.Command = getattr(module, NAMES.get(word, word))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in `arena --help` without importing their modules."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        """Run the command and exit. Errors meant for people are printed as one line on stderr."""
        extra["standalone_mode"] = False
        soften(sys.stdout, sys.stderr)
        try:
            with worded():
                result = super().main(args, *rest, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            sys.exit(0)
        except click.ClickException as error:
            stop(_usage_line(error), ExitCode.MISUSED)
        except (click.Abort, KeyboardInterrupt):
            stop("arena: interrupted", ExitCode.INTERRUPTED)
        except BrokenPipeError:
            _quiet_pipe()
        else:
            sys.exit(result if isinstance(result, int) else 0)


def _require_parts(command: str) -> None:
    """Raise `Unavailable` if this system cannot run a command, or the server is needed and not installed."""
    if sys.platform != "linux" and (command not in KIT or command == "doctor"):
        raise Unavailable(f"arena {command} needs Linux")
    if command not in KIT:
        _require_server(f"arena {command} needs", f", or run it: uvx 'suit-arena[server]' {command}")


def _require_server(what: str, instead: str) -> None:
    if not all(map(find_spec, _SERVER)):
        raise Unavailable(f"{what} the server. Install it: pip install 'suit-arena[server]'{instead}")


def _own_arena() -> AbstractContextManager["Remote"]:
    """Return this machine's arena for a command that may also ask another one. Raises `Unavailable`."""
    instead = "or name an arena on another machine with --arena"
    if sys.platform != "linux":
        raise Unavailable(f"An arena on this machine needs Linux; {instead}")
    _require_server("An arena on this machine needs", f", {instead}")
    from arena.cli.own import own_arena  # large, and not installed with the client

    return own_arena()


def _usage_line(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "arena"
    return f"{path}: {' '.join(error.format_message().split())} (see {path} --help)"


def _quiet_pipe() -> None:
    """Exit without a traceback after the reader of our output has gone (`arena trace … | head`)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(ExitCode.REFUSED)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="suit-arena", message="Suit Arena %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Suit Arena: tournaments of card-game bots."""
    ctx.obj = _own_arena
