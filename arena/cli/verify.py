"""``arena verify``: replay match records and say whether they are right."""

import sys
from pathlib import Path

import click

from arena.match.replay import verify as verify_record


def problem(path: str) -> str | None:
    """What is wrong with the record in a file, None where it is right."""
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
    """Replay match records; one line each, exit status 1 if any is wrong.

    The line names the first move (index, seat, action) that disagrees and why.
    """
    wrong = 0
    for path in files:
        found = problem(path)
        wrong += found is not None
        click.echo(f"{click.format_filename(path)}: {found or 'ok'}")
    sys.exit(1 if wrong else 0)
