"""Read an export: check its files, and yield its tables one at a time. Nothing in it is trusted."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec

from arena.exchange import files
from arena.exchange.lines import FORMAT, Form, Manifest, Season, Table
from arena.games.errors import ArenaError

MOST_BYTES: Final = 256 << 20
"""Largest manifest or season that is read."""
LONGEST: Final = 64 << 20
"""Longest line of the records: a table of a few thousand matches."""
_RECORDS: Final = re.compile(r"records/[0-9]{6}\.jsonl\.gz")
_DECODE: Final = msgspec.json.Decoder(Table)

Part = TypeVar("Part", Manifest, Season)
Complaint = Callable[[str], None]
"""Is called with a sentence about what is left out, which begins with file and line."""


class Line(NamedTuple):
    """A table, and where it was read."""

    where: str
    table: Table


def season_of(folder: Path) -> tuple[Manifest, Season]:
    """Return the manifest and the season of an export. Raises `ArenaError` if they cannot be used."""
    manifest = _whole(folder / "manifest.json", Manifest)
    season = _whole(folder / "season.json", Season)
    stated = {file.path: file.sha256 for file in manifest.files}
    if stated.get("season.json") != files.digest(folder / "season.json"):
        raise ArenaError(f"{folder / 'season.json'} is damaged: its SHA-256 differs from the manifest's.")
    return manifest, season


def tables(folder: Path, manifest: Manifest, complain: Complaint) -> Iterator[Line]:
    """Yield the tables of an export in their order, and complain about each file and line that cannot be read."""
    for file in manifest.files:
        path = folder / file.path
        if not _RECORDS.fullmatch(file.path):
            continue
        if not _is_plain(folder, file.path):
            complain(f"{file.path}: it is missing")
        elif (found := files.digest(path)) != file.sha256:
            complain(f"{file.path}: its SHA-256 is {found}; the manifest says {file.sha256}")
        else:
            yield from _lines(path, file.path, complain)


def _is_plain(folder: Path, name: str) -> bool:
    """Return whether this is a file that can be read to its end, and no link leads out of the folder."""
    path = folder / name
    return path.is_file() and path.resolve() == folder.resolve() / name


def _whole(path: Path, type: type[Part]) -> Part:
    try:
        if path.exists() and not _is_plain(path.parent, path.name):
            raise ArenaError(f"{path} is no plain file; links are not followed.")
        if path.stat().st_size > MOST_BYTES:
            raise ArenaError(f"{path} is larger than {MOST_BYTES} bytes.")
        data = path.read_bytes()
        found = msgspec.json.decode(data, type=Form).format
        if found != FORMAT:
            raise ArenaError(f"{path} has the format {found[:40]!r}; this release reads {FORMAT!r}.")
        return msgspec.json.decode(data, type=type)
    except OSError as error:
        raise ArenaError(f"{path} cannot be read: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ArenaError(f"{path} does not match {FORMAT}: {error}") from None


def _lines(path: Path, name: str, complain: Complaint) -> Iterator[Line]:
    number = 0
    try:
        with gzip.open(path) as file:
            while line := file.readline(LONGEST):
                number += 1
                where = f"{name}:{number}"
                if not line.endswith(b"\n"):
                    complain(f"{where}: the line is cut off, or longer than {LONGEST} bytes")
                    return
                try:
                    yield Line(where, _DECODE.decode(line))
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                    complain(f"{where}: {error}")
    except (OSError, EOFError, zlib.error) as error:
        complain(f"{name}:{number + 1}: it cannot be decompressed: {error}")
