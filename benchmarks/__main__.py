"""`python -m benchmarks [SUBJECT …]`."""

import signal
import sys
from collections.abc import Callable, Sequence
from typing import Final

import click

from benchmarks import (
    aivat,
    calibration,
    capacity,
    engine,
    events,
    fields,
    folds,
    habits,
    limits,
    live,
    memory,
    outside,
    queue,
    ratings,
    relays,
    response,
    sandbox,
    search,
    strength,
    vector,
    web,
)
from benchmarks.results import Table

SUBJECTS: Final[dict[str, Callable[[int], list[Table]]]] = {
    "engine": engine.run,
    "search": search.run,
    "strength": strength.run,
    "response": response.run,
    "calibration": calibration.run,
    "limits": limits.run,
    "habits": habits.run,
    "aivat": aivat.run,
    "vector": vector.run,
    "sandbox": sandbox.run,
    "relays": relays.run,
    "ratings": ratings.run,
    "folds": folds.run,
    "queue": queue.run,
    "capacity": capacity.run,
    "memory": memory.run,
    "events": events.run,
    "web": web.run,
    "live": live.run,
    "fields": fields.run,
    "outside": outside.run,
}
"""Subjects by name. Each takes the number of rounds and returns its tables; a new subject is one line here."""


@click.command()
@click.argument("subjects", nargs=-1, type=click.Choice(list(SUBJECTS)))
@click.option("--rounds", default=11, show_default=True, type=click.IntRange(1), help="More give steadier medians.")
def main(subjects: Sequence[str], rounds: int) -> None:
    """Measure the SUBJECTS, or all of them, and print a table for each comparison."""
    # Exit as if interrupted, so that child processes are stopped.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    missed = False
    for subject in subjects or SUBJECTS:
        for table in SUBJECTS[subject](rounds):
            click.echo(table)
            missed |= table.missed
    sys.exit(missed)


if __name__ == "__main__":
    main()
