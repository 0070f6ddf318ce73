"""``arena watch``: a tournament in the terminal until it ends."""

import sys
import time
from collections.abc import Iterator
from typing import Any, Final

import click
from rich.console import Console, Group, JustifyMethod
from rich.live import Live
from rich.table import Table
from rich.text import Text

from arena.remote.http import Remote
from arena.remote.options import ID, arena_option, remote
from arena.remote.reading import standing, standings_table
from arena.remote.texts import json_option, line, say, say_json

EVERY: Final = 2.0
"""Seconds between two looks."""
SHOWN: Final = 20
"""Number of places that are shown."""
WIDE: Final = 110
"""Columns of a terminal that has room for intervals."""
COLUMNS: Final = {"rank": 0, "bot": 0, "owner": 70, "points": 0, "share": 0, "tables": 70}
"""Columns of the standings, and how wide a terminal must be to show them."""
NAMES: Final = {"bot": 3, "owner": 5}
"""Columns that are cut, and the part of the width that they have at most."""
OVER: Final = frozenset({"finished", "cancelled"})


@click.command()
@click.argument("tournament_id", metavar="ID", type=ID)
@arena_option
@json_option
def watch(tournament_id: int, url: str | None, as_json: bool) -> None:
    """Watch a tournament until it ends: live in a terminal, line by line elsewhere."""
    pages = _pages(remote(url), tournament_id)
    if as_json:
        for page in pages:
            last = page
        say_json(last)
    elif _is_terminal():
        _live(pages)
    else:
        _lines(pages)


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _pages(arena: Remote, tournament_id: int) -> Iterator[Any]:
    """Yield a tournament each time that it may have changed, until it is over."""
    while True:
        page = arena.get(f"/tournaments/{tournament_id}")
        yield page
        if page["state"] in OVER:
            return
        time.sleep(EVERY)


def _live(pages: Iterator[Any]) -> None:
    console = Console()
    with Live(console=console, auto_refresh=False) as live:
        for page in pages:
            table = _table(page["standings"][:SHOWN], console.width)
            live.update(Group(Text(headline(page)), table), refresh=True)


def _lines(pages: Iterator[Any]) -> None:
    """Print a line for each change, and the standings at the end."""
    said, last = "", None
    for page in pages:
        last = page
        if (text := headline(page)) != said:
            said = text
            click.echo(text)
    if last:
        say(*standings_table(last["standings"]))


def headline(page: Any) -> str:
    """Return the state of a tournament in one line."""
    settled = page["tables_done"] + page["tables_failed"] + page["tables_cancelled"]
    problem = f": {page['problem']}" if page["problem"] else ""
    return line(f"{page['name']}: {page['state']}, {settled} of {page['tables_total']} tables{problem}")


def _table(rows: Any, width: int) -> Table:
    """Return the standings in one line each; narrow terminals show fewer columns."""
    table = Table(box=None, pad_edge=False)
    places = [[_short(word, width) for word in standing(row)] for row in rows]
    for head, *words in zip(COLUMNS, *places, strict=True):
        if width >= COLUMNS[head]:
            most = NAMES.get(head)
            least = None if most else max(map(len, (head, *words)))
            justify: JustifyMethod = "left" if most else "right"
            table.add_column(head, justify=justify, no_wrap=True, min_width=least, max_width=most and width // most)
    for words in places:
        table.add_row(*(Text(word) for least, word in zip(COLUMNS.values(), words, strict=True) if width >= least))
    return table


def _short(word: object, width: int) -> str:
    """Return a word of the standings, without its interval in a narrow terminal."""
    return line(word) if width >= WIDE else line(word).partition(" (")[0]
