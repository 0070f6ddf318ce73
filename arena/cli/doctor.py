"""``arena doctor``: describe this machine's sandbox."""

import json
import os
from dataclasses import asdict

import click
from rich.console import Console

from arena.cli.doctor_report import report
from arena.cli.needs import for_this_user, require_descriptors
from arena.sandbox.doctor import examine
from arena.sandbox.limits import limits_of
from arena.settings import Settings


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print everything that was found as JSON.")
def doctor(as_json: bool) -> int:
    """Test every layer of the sandbox, attack it, time it, and suggest improvements.

    Like `arena up`, it requires less of an ordinary user unless ARENA_SANDBOX_MINIMUM is set.

    Exits with 0 if the minimum (ARENA_SANDBOX_MINIMUM) holds and no attack got through, otherwise with 1.
    """
    _fill_descriptors()
    require_descriptors()
    settings = for_this_user(Settings.from_env())
    found = examine(settings.sandbox_minimum, settings.workers, limits_of(settings), settings.bot_packages)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2))
    else:
        report(found, Console(highlight=False))
    return 0 if found.holds else 1


def _fill_descriptors() -> None:
    """Open /dev/null for standard descriptors that are closed, so that files opened later do not take their numbers."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)
