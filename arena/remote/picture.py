"""A connection in the terminal: its tables, their results so far, and the state of the network."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import mean
from threading import Thread
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from arena.remote.connect import Connection, percentiles
from arena.remote.table import Table
from arena.remote.texts import line

A_SECOND: Final = 2
"""Number of pictures a second: more would only flicker."""
HEAD: Final = {"table": "left", "variant": "left", "opponents": "left", "move": "right", "points": "right",
               "last answer": "right"}  # fmt: skip


class Screen:
    """Shows a connection: live in a terminal, line by line elsewhere."""

    errors: int | None = None
    """Where programs write their standard error, so that it does not go through the picture; None as this process."""

    @contextmanager
    def showing(self, connection: Connection) -> Iterator[None]:
        """Show a connection while a block runs."""
        if not sys.stdout.isatty():
            yield
            return
        console = Console()
        with Live(
            console=console, get_renderable=lambda: picture(connection), refresh_per_second=A_SECOND, transient=True
        ):
            connection.say = lambda text: console.print(Text(line(text)))
            connection.link.warn = lambda _: None  # the picture says it
            with self._heard(connection):
                yield

    @contextmanager
    def _heard(self, connection: Connection) -> Iterator[None]:
        """Print the lines that programs write to standard error above the picture."""
        source, self.errors = os.pipe()

        def pass_on() -> None:
            with os.fdopen(source, errors="replace") as lines:
                for text in lines:
                    connection.say(text.rstrip("\n"))

        reader = Thread(target=pass_on, daemon=True)
        reader.start()
        try:
            yield
        finally:
            os.close(self.errors)
            reader.join(1.0)


def picture(connection: Connection) -> RenderableType:
    """Return a connection as a table and lines."""
    grid = Grid(box=None, pad_edge=False)
    for head, justify in HEAD.items():
        grid.add_column(head, justify=justify, no_wrap=head != "opponents")  # type: ignore[arg-type]
    for table in list(connection.playing.values()):
        grid.add_row(*(Text(line(word)) for word in row(table)))
    return Group(grid, *(Text(line(text)) for text in totals(connection)))


def row(table: Table) -> tuple[object, ...]:
    """Return a table in the words of `HEAD`."""
    last = f"{table.times[-1]:.2f} s" if table.times else ""
    if (asked := table.latest) is None:
        return table.code, "", "", "", "", last
    others = ", ".join(name for seat, name in enumerate(asked.seats) if seat != asked.seat)
    scores = asked.view.get("scores")
    return table.code, asked.variant, others, asked.number, scores[asked.seat] if scores else "", last


def totals(connection: Connection) -> Iterator[str]:
    """Yield lines about all tables, and the state of the network."""
    text = f"{len(connection.ranks)} matches"
    if connection.ranks:
        text += f", mean score {mean(connection.scores):.1f}, mean rank {mean(connection.ranks):.2f}"
    yield f"{text}; {connection.errors} errors"
    if cuts := percentiles(connection.all_times()):
        yield "answers: 50 % within {:.2f} s, 95 % within {:.2f} s, 99 % within {:.2f} s".format(*cuts)
    if away := connection.link.away:
        yield f"trying again since {time.strftime('%H:%M:%S', time.localtime(away.since))}: {away.reason}"
    else:
        yield "connected"
