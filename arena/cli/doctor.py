"""``arena doctor``: say what this machine's sandbox can do."""

import json
import os
from dataclasses import asdict

import click
from rich.console import Console

from arena.cli.doctor_report import report
from arena.sandbox.doctor import examine
from arena.settings import Settings


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print everything that was found as JSON.")
def doctor(as_json: bool) -> int:
    """Try every layer of the sandbox, attack it, time it, and say how to make it better.

    Exits with 0 where the minimum (ARENA_SANDBOX_MINIMUM) holds and no attack got through, else with 1.
    """
    _fill_descriptors()
    found = examine(Settings.from_env().sandbox_minimum)
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2))
    else:
        report(found, Console(highlight=False))
    return 0 if found.holds else 1


def _fill_descriptors() -> None:
    """Where standard input, output or error is closed, what we open would take its place, and be taken for it."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)
