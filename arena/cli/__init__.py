"""`arena …`: one file per command, imported when it is asked for.

So `arena verify` works, and is quick, where only the standard library and Click are installed. Exit codes: 0 done,
1 the arena refuses (one line on stderr), 2 the command line is wrong (one line on stderr).
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from arena.games.errors import ArenaError

COMMANDS: dict[str, str] = {
    "up": "Start the whole arena on this machine.",
    "play": "Play a match between bots on this machine.",
    "compare": "Say whether one bot is better than another.",
    "verify": "Check match records against the rules.",
    "verify-seed": "Check the boards of a tournament against its seed.",
    "trace": "Show a match record step by step.",
    "random-records": "Write records of matches of random moves.",
    "doctor": "Say what this machine's sandbox can do.",
    "fsck": "Check what must always be true of the database.",
    "account": "Give an account a new password or an administrator's rights.",
    "tournament": "Make, watch and steer tournaments.",
    "schedule": "Have tournaments made at certain times.",
    "ratings": "Check or rebuild the ratings from the results.",
    "tallies": "Check or rebuild what results add up to.",
    "migrate": "Create the database or bring it up to date.",
    "web": "Run the web server alone.",
    "worker": "Run this machine's workers alone.",
    "beat": "Run the clock alone.",
}
"""Every command with its line in `arena --help`; `random-records` is `arena.cli.random_records.random_records`."""

REFUSED = 1
MISUSED = 2
INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        word = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"arena.cli.{word}"), word)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `arena --help`, from the table: no module is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        """Run and exit: every error that is meant for a person is one line on stderr."""
        extra["standalone_mode"] = False
        try:
            result = super().main(args, *rest, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            sys.exit(0)
        except click.ClickException as error:
            _stop(_usage_line(error), MISUSED)
        except ArenaError as error:
            _stop(f"arena: {error}", REFUSED)
        except (click.Abort, KeyboardInterrupt):
            _stop("arena: interrupted", INTERRUPTED)
        except BrokenPipeError:
            _quiet_pipe()
        else:
            sys.exit(result if isinstance(result, int) else 0)


def _usage_line(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "arena"
    return f"{path}: {' '.join(error.format_message().split())} (see {path} --help)"


def _stop(line: str, code: int) -> None:
    click.echo(line, err=True)
    sys.exit(code)


def _quiet_pipe() -> None:
    """The reader of our output has gone (`arena trace … | head`): end without a traceback at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(REFUSED)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="suit-arena", message="Suit Arena %(version)s")
def main() -> None:
    """Suit Arena: tournaments of card-game bots."""
