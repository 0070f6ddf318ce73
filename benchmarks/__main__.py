"""`python -m benchmarks [SUBJECT …]`."""

import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import click

SUBJECTS: Final = (
    "engine", "search", "strength", "response", "calibration", "limits", "habits", "aivat", "vector", "sandbox",
    "relays", "ratings", "folds", "queue", "capacity", "memory", "events", "web", "live", "fields", "outside",
)  # fmt: skip
"""Modules with a function `run`, which takes the number of rounds and returns tables; a new subject is a name here."""


@click.command()
@click.argument("subjects", nargs=-1, type=click.Choice(SUBJECTS))
@click.option("--rounds", default=11, show_default=True, type=click.IntRange(1), help="More give steadier medians.")
def main(subjects: Sequence[str], rounds: int) -> None:
    """Measure the SUBJECTS, or all of them, and print a table for each comparison."""
    # Exit as if interrupted, so that child processes are stopped.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    missed = False
    for subject in subjects or SUBJECTS:
        for table in import_module(f"benchmarks.{subject}").run(rounds):
            click.echo(table)
            missed |= table.missed
    sys.exit(missed)


if __name__ == "__main__":
    main()
