"""``arena verify``, ``arena trace`` and ``arena text``: replay match records, and show their moves."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path

import click

from arena.games.errors import RecordError
from arena.match.record import parse
from arena.match.replay import trace as trace_record
from arena.match.replay import verify as verify_record
from arena.match.text import text_of


def _problem(path: str) -> str | None:
    """Return the first error in the record of a file; None if it is valid."""
    try:
        verify_record(Path(path).read_bytes())
    except OSError as error:
        return error.strerror or str(error)
    except ValueError as error:
        return str(error)
    return None


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
def verify(files: tuple[str, ...]) -> None:
    """Replay match records. Prints one line each; exits with 1 if any is invalid.

    The line names the first move (index, seat, action) that disagrees, and the reason.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    wrong = 0
    for path in files:
        found = _problem(path)
        wrong += found is not None
        click.echo(f"{click.format_filename(path)}: {found or 'ok'}")
    sys.exit(1 if wrong else 0)


@contextmanager
def _valid(file: str) -> Iterator[None]:
    """Exit with the first error in the record of a file if there is any."""
    try:
        yield
    except (OSError, RecordError):
        click.echo(f"{click.format_filename(file)}: {_problem(file)}", err=True)
        sys.exit(1)


@click.command()
@click.argument("file", metavar="FILE")
def trace(file: str) -> None:
    """Print every move of a record with its legal actions, one JSON object per line.

    A record that `arena verify` rejects is traced up to its first error, which is printed on stderr.
    """
    with _valid(file):
        for line in trace_record(parse(Path(file).read_bytes())):
            click.echo(json.dumps(line))


@click.command()
@click.argument("file", metavar="FILE")
def text(file: str) -> None:
    """Print a match record as card players write a match.

    Deals are diagrams of the seats' cards; each trick is a line with its leader, its cards and its winner.
    """
    with _valid(file):
        click.echo(text_of(parse(Path(file).read_bytes())), nl=False)
