"""``arena trace``: print what the engine derives from a match record."""

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

    A record that `arena verify` refuses is traced as far as it is right; then the reason goes to standard error.
    """
    try:
        for line in trace_record(parse(Path(file).read_bytes())):
            click.echo(json.dumps(line))
    except (OSError, RecordError):
        click.echo(f"{click.format_filename(file)}: {problem(file)}", err=True)
        sys.exit(1)
