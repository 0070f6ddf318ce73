"""A bot's failure, as commands for authors explain it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import click
from rich.console import Console

from arena.cli.crew import Table
from arena.exits import ExitCode

LINES = 10
"""Most lines of a bot's output that are shown."""
WIDTH = 500
"""Most characters of such a line that are shown."""


class Trouble(NamedTuple):
    """The first failure of a bot at a table."""

    entry: int
    """Index of the bot."""
    name: str
    table: int
    match: int
    """Number of the match at the table, from 0."""
    seat: int
    kind: str
    detail: str
    traceback: str
    move: int | None
    view: Mapping[str, Any] | None
    output: str

    def show(self, console: Console) -> None:
        """Print what happened, where, and what the bot had been sent and had printed."""
        where = f"{self.name} failed in seat {self.seat} of match {self.match} at table {self.table}"
        explain(console, f"{where}: {self.kind}: {self.detail}{at_move(self.move)}", self.traceback, self.view)
        show_output(console, self.name, self.output)


def first_failure(table: Table, names: Mapping[int, str]) -> Trouble | None:
    """Return the first failure of a bot at a table; None if all played to the end."""
    for match, played in enumerate(table.result.matches):
        for seat, columns in enumerate(played.seats):
            if columns["fault"]:
                entry = columns["version_id"]
                texts = (columns[key] for key in ("detail", "traceback", "move", "view", "output"))
                return Trouble(entry, names[entry], table.number, match, seat, columns["fault"], *texts)
    return None


def exit_code(interrupted: bool, failure: Trouble | None) -> ExitCode:
    """Return the exit code of a command that plays many tables."""
    if interrupted:
        return ExitCode.INTERRUPTED
    return ExitCode.REFUSED if failure else ExitCode.DONE


def show_faults(faults: Iterable[tuple[str, int]], failure: Trouble | None) -> None:
    """Print in how many matches each bot failed, and the first failure."""
    for name, number in faults:
        if number:
            click.echo(f"{name} failed in {number} {'match' if number == 1 else 'matches'}.")
    if failure:
        failure.show(Console())


def at_move(move: int | None) -> str:
    """Return a move of a match as the end of a sentence; empty if it is None, because the bot did not load."""
    return "" if move is None else f", at move {move}"


def explain(console: Console, sentence: str, traceback: str, view: Mapping[str, Any] | None) -> None:
    """Print a failure with its traceback, and the view that the bot was answering."""
    console.print(sentence, markup=False, highlight=False, soft_wrap=True)
    if traceback:
        console.print(traceback.rstrip(), markup=False, highlight=False, soft_wrap=True)
    if view is not None:
        console.print(f"The view that it was sent: {json.dumps(view)}", markup=False, highlight=False, soft_wrap=True)


def show_output(console: Console, who: str, output: str) -> None:
    """Print the last lines that a bot printed, if any."""
    lines = output.splitlines()
    if lines:
        last = f" (the last {LINES} of {len(lines):,} lines)" if len(lines) > LINES else ""
        console.print(f"{who} printed{last}:", markup=False, highlight=False)
        for line in lines[-LINES:]:
            cut = line if len(line) <= WIDTH else f"{line[:WIDTH]} […]"
            console.print(f"  {cut}", markup=False, highlight=False, soft_wrap=True)
