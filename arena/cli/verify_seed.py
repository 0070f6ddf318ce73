"""``arena verify-seed``: rederive a tournament's boards and places from its seed."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from arena.games.errors import ArenaError
from arena.services.tournaments import seeds
from arena.services.tournaments.evidence import Check, Header, TableBoards, read

Evidence = tuple[Header, Iterator[TableBoards]]


@click.command("verify-seed")
@click.argument("source", metavar="FILE|TOURNAMENT_ID")
def verify_seed(source: str) -> None:
    """Derive every board of a tournament and the places at its tables again from its seed, and compare.

    FILE is the evidence that a finished tournament's page offers; it needs no database. A number is a tournament in
    this arena's database. Prints one line per difference; exits with 1 if there is any.
    """
    wrong = 0
    try:
        with _evidence(source) as (header, tables):
            check = Check(header)
            for line in check.differences(tables):
                wrong += 1
                click.echo(f"{_name(source)}: {line}")
    except OSError as error:
        raise ArenaError(f"{_name(source)}: {error.strerror or error}") from None
    except ArenaError as error:
        raise ArenaError(f"{_name(source)}: {error}") from None
    if wrong:
        sys.exit(1)
    click.echo(f"{_name(source)}: ok: {check.boards} boards of {check.matches} matches at {check.tables} tables")


@contextmanager
def _evidence(source: str) -> Iterator[Evidence]:
    if not _is_id(source):
        with Path(source).open("rb") as file:
            yield read(file)
        return
    # imported here because a file needs no database
    from arena.cli.database import opened

    with opened() as arena:
        yield seeds.header(arena, int(source)), seeds.tables(arena, int(source))


def _is_id(source: str) -> bool:
    return source.isascii() and source.isdecimal() and len(source) < 19  # as many digits as database IDs have


def _name(source: str) -> str:
    return f"tournament {source}" if _is_id(source) else click.format_filename(source)
