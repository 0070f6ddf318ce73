"""Archives: a whole database in one file, independent of the kind of database.

An archive is a zip with a member ``TABLE.jsonl`` for each table, one row per line as a JSON array, and ``arena.json``
with the schema's revision and the columns, number and digest of each table's rows (`arena.db.rows.Tally`). Bytes are
in base64, JSON columns are strings. Archives are written and read in a stream, so their size does not matter.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BufferedReader, BufferedWriter
from pathlib import Path
from typing import Any, BinaryIO, Final, Self, cast
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import msgspec
from sqlalchemy import JSON, Column, Table

from arena.db.rows import Counter, Row, Snapshot, Tally
from arena.games.errors import ArenaError
from arena.release import release

FORMAT: Final = 1
"""Version of the format that this release writes and reads."""
MANIFEST: Final = "arena.json"
SPEED: Final = 1
"""Level of compression: the fastest. Most bytes are records, which are compressed already."""
BUFFER: Final = 1 << 20
"""Size, in bytes, of the buffers between rows and compressor."""

_encode: Final = msgspec.json.Encoder().encode


class Content(msgspec.Struct):
    """Content of a table."""

    columns: list[str]
    rows: int
    digest: str


class Form(msgspec.Struct):
    """Format of an archive, read first: another one may have other fields."""

    format: int


class Manifest(Form):
    """Description of an archive."""

    release: str
    """Release of Suit Arena that wrote it."""
    revision: str
    """Revision of the schema."""
    created: float
    """Time of the snapshot in seconds since 1970, by the clock of the database."""
    tables: dict[str, Content]


def write(file: BinaryIO, snapshot: Snapshot, created: float) -> Manifest:
    """Write an archive of a snapshot, taken at this time, to a file."""
    manifest = Manifest(FORMAT, release(), snapshot.revision, created, {})
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=SPEED) as archive:
        for name, table in snapshot.tables.items():
            counter = Counter(table, snapshot.columns[name])
            with _member(archive, name) as lines:
                lines.writelines(_encode(row) + b"\n" for row in counter.through(snapshot.rows(table)))
            manifest.tables[name] = Content(list(snapshot.columns[name]), *counter.tally)
        archive.writestr(MANIFEST, msgspec.json.format(_encode(manifest)))
    return manifest


class Archive:
    """An archive that is open for reading; its manifest has been read."""

    def __init__(self, path: Path) -> None:
        """Open an archive. Raises `ArenaError` if the file is incomplete, or not an archive of a known format."""
        self._path = path
        with _explained(path):
            self._zip = ZipFile(path)
            data = self._zip.read(MANIFEST)
            found = msgspec.json.decode(data, type=Form).format
            if found != FORMAT:
                raise ArenaError(f"{path} has format {found}; this release reads format {FORMAT}")
            self.manifest = msgspec.json.decode(data, type=Manifest)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def revision(self) -> str:
        """Revision of the schema."""
        return self.manifest.revision

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """Names of the columns by name of the table."""
        return {name: content.columns for name, content in self.manifest.tables.items()}

    @property
    def tallies(self) -> Mapping[str, Tally]:
        """Tallies of the tables when the archive was written."""
        return {name: Tally(content.rows, content.digest) for name, content in self.manifest.tables.items()}

    def rows(self, table: Table) -> Iterator[Row]:
        """Yield all rows of a table. Raises `ArenaError` if one is damaged or has values of other types."""
        types = tuple(_type(table.columns[name]) for name in self.columns[table.name])
        decode = msgspec.json.Decoder(cast(type[Row], tuple[types])).decode  # type: ignore[valid-type]
        with _explained(self._path), self._zip.open(f"{table.name}.jsonl") as member:
            yield from map(decode, BufferedReader(member, BUFFER))  # type: ignore[type-var]


def _member(archive: ZipFile, name: str) -> BufferedWriter:
    return BufferedWriter(archive.open(f"{name}.jsonl", "w", force_zip64=True), BUFFER)


def _type(column: Column[Any]) -> Any:
    python_type = str if isinstance(column.type, JSON) else column.type.python_type
    return python_type | None if column.nullable else python_type


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Convert errors of an archive to `ArenaError`."""
    try:
        yield
    except OSError as error:
        raise ArenaError(f"{path} cannot be read: {error.strerror or error}") from None
    except (BadZipFile, KeyError, RuntimeError) as error:  # RuntimeError: an encrypted zip
        raise ArenaError(f"{path} is not a complete backup of an arena: {error.args[0]}") from None
    except (zlib.error, EOFError, msgspec.MsgspecError, UnicodeError) as error:
        raise ArenaError(f"{path} is damaged: {error}") from None
