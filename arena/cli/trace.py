"""``arena trace``: print every move of a match record."""

import json
import sys
from pathlib import Path

import click

from arena.cli.verify import problem
from arena.games.errors import RecordError
from arena.match.record import parse
from arena.match.replay import trace as trace_record


@click.command()
@click.argument("file", metavar="FILE")
def trace(file: str) -> None:
    """Print every move of a record with its legal actions, one JSON object per line.

    A record that `arena verify` rejects is traced up to its first error, which is printed on stderr.
    """
    try:
        for line in trace_record(parse(Path(file).read_bytes())):
            click.echo(json.dumps(line))
    except (OSError, RecordError):
        click.echo(f"{click.format_filename(file)}: {problem(file)}", err=True)
        sys.exit(1)
