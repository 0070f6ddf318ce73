"""``arena fetch``: the records of a match, a table or a tournament, as files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from arena.remote.http import Remote
from arena.remote.options import ID, arena_option, remote
from arena.remote.texts import json_option, say_json, writing


@click.command()
@click.argument("noun", type=click.Choice(["match", "table", "tournament"]))
@click.argument("number", metavar="ID", type=ID)
@click.option(
    "--into", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Folder; by default this one."
)
@arena_option
@json_option
def fetch(noun: str, number: int, into: Path, url: str | None, as_json: bool) -> None:
    """Download the records of a match, or of all matches of a table or tournament, as match-ID.json.

    Files that exist are kept, so that an interrupted download can be continued. `arena verify` checks the records.
    """
    arena = remote(url)
    files = []
    with writing(into):
        into.mkdir(parents=True, exist_ok=True)
        for match_id in matches(arena, noun, number):
            file = into / f"match-{match_id}.json"
            files.append(str(file))
            if not file.exists():
                _download(arena, match_id, file)
            if not as_json:
                click.echo(file)
    if as_json:
        say_json(files)


def matches(arena: Remote, noun: str, number: int) -> Iterator[int]:
    """Yield the IDs of the matches."""
    if noun == "match":
        yield number
    elif noun == "table":
        yield from _ids(arena.get(f"/tables/{number}")["matches"])
    else:
        yield from _ids(arena.items(f"/tournaments/{number}/matches", limit=200))


def _ids(found: Any) -> Iterator[int]:
    return (int(match["id"]) for match in found)


def _download(arena: Remote, match_id: int, file: Path) -> None:
    """Write a record, whole or not at all."""
    part = file.with_suffix(".part")
    part.unlink(missing_ok=True)  # it could be a link
    part.write_bytes(arena.file(f"/matches/{match_id}/record"))
    part.replace(file)
