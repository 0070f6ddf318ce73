"""Answers of an arena as text for a terminal. They are foreign: no control character reaches the terminal."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from arena.exits import SHORTAGES
from arena.games.errors import Refused

json_option = click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")


def line(value: object) -> str:
    """Return a value as one line of printable characters."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(value))


def block(value: object) -> str:
    """Return a value as lines of printable characters and tabs."""
    return "\n".join("\t".join(map(line, row.split("\t"))) for row in str(value).split("\n"))


def say(*texts: object) -> None:
    """Print each text as one line."""
    for text in texts:
        click.echo(line(text))


def say_json(value: Any) -> None:
    """Print a value as JSON, in ASCII."""
    click.echo(json.dumps(value, indent=2, default=msgspec.to_builtins))


def tell(value: Any, text: object, as_json: bool) -> None:
    """Print the result of an action as JSON, or else in one line."""
    if as_json:
        say_json(value)
    else:
        say(text)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield a head and rows in aligned columns."""
    lines = [head, *([line(word) for word in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for words in lines:
        yield "  ".join(word.ljust(width) for word, width in zip(words, widths, strict=True)).rstrip()


def say_rows(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows in aligned columns."""
    for text in table(head, rows):
        click.echo(text)


def minute(time: str) -> str:
    """Return a time of the arena in UTC, to the minute."""
    return time[:16].replace("T", " ")


def rating(found: Any) -> str:
    """Return a rating as on the pages, such as ``27.4 ± 1.2``; empty if there is none."""
    return f"{found['mu']['value']:.1f} ± {found['sigma']:.1f}" if found else ""


def percent(uncertain: Any) -> str:
    """Return a share with its interval, such as ``52.0 % (47.1 to 56.9)``; empty if there is none."""
    if not uncertain:
        return ""
    interval = "" if uncertain["low"] is None else f" ({uncertain['low']:.1%} to {uncertain['high']:.1%})"
    return f"{uncertain['value']:.1%}{interval}"


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Raise `Refused` if a file cannot be read or written. A full disk has a sentence for all commands."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno in SHORTAGES:
            raise
        raise Refused(f"Cannot read or write {error.filename or place}: {error.strerror or error}.") from None
