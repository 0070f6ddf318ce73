"""Write an export while its arena plays, part by part, so that an interrupted export goes on.

An export is the same, byte for byte, whether its source is a database or the API of an arena.
"""

import gzip
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from itertools import groupby, islice
from pathlib import Path
from typing import Final, Protocol

import msgspec

from arena.exchange import files, parquet
from arena.exchange.lines import DONE, FORMAT, Attempt, Cut, File, Manifest, Match, Scope, Season
from arena.games.errors import ArenaError, Unavailable

PART: Final = 2_000
"""Number of tables per part: what an interruption costs at most."""
BATCH: Final = 50
"""Number of tables in memory, and read in one transaction."""
MANIFEST: Final = "manifest.json"
SEASON: Final = "season.json"
CUT: Final = "cut.jsonl.gz"
PROGRESS: Final = "progress"
"""Folder with the files of each part that is complete."""

Progress = Callable[[int, int], None]
"""Is called with the numbers of tables written and of all tables."""


class Source(Protocol):
    """An arena whose results are exported."""

    @property
    def scope(self) -> Scope:
        """Which of its results."""

    def cut(self) -> AbstractContextManager[tuple[Season, Iterator[Cut]]]:
        """Open a cut: all tables that count in ratings at one moment, by ID. Raises `NotFound`."""

    def attempts(self, after: int, until: int) -> Sequence[Attempt]:
        """Return all attempts at some of the played tables with IDs above `after` and up to `until`, by ID.

        There is at least one while such tables are left.
        """


def export(
    source: Source, folder: Path, *, with_parquet: bool = True, progress: Progress = lambda done, total: None
) -> Manifest:
    """Write an export to a folder, or go on with one that was interrupted there.

    Raises `ArenaError` if the folder holds anything else, `Unavailable` if it cannot be written, and `NotFound` for an
    unknown scope.
    """
    if with_parquet:
        parquet.check_available()
    complete = (folder / MANIFEST).exists()
    if complete and not (folder / CUT).exists():
        raise ArenaError(f"{folder} holds a complete export. Choose another folder.")
    try:
        season = _begun(source, folder, with_parquet)
        if not complete:
            _write_parts(source, folder, season, with_parquet, progress)
            _write_manifest(folder, season)
        return _finish(folder)
    except OSError as error:
        raise Unavailable(f"The export {folder} cannot be written: {error.strerror or error}") from None


def _begun(source: Source, folder: Path, with_parquet: bool) -> Season:
    """Take the cut, or return the season of the one that is there."""
    if (folder / CUT).exists():
        season = msgspec.json.decode((folder / SEASON).read_bytes(), type=Season)
        if season.scope != source.scope or (folder / "parquet").exists() != with_parquet:
            raise ArenaError(f"{folder} holds the beginning of another export. Repeat its options, or delete it.")
        return season
    if folder.exists() and any(one for one in folder.iterdir() if not one.name.startswith(".")
                               and one.name not in (SEASON, "parquet")):  # fmt: skip
        raise ArenaError(f"{folder} is not empty. Choose another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    if with_parquet:
        (folder / "parquet").mkdir(exist_ok=True)
    with source.cut() as (season, tables):
        with files.written(folder / SEASON) as path:
            path.write_bytes(msgspec.json.format(msgspec.json.encode(season)) + b"\n")
        with files.written(folder / CUT) as path, files.compressed(path) as file:
            file.writelines(msgspec.json.encode(cut) + b"\n" for cut in tables)
    return season


def _write_parts(source: Source, folder: Path, season: Season, with_parquet: bool, progress: Progress) -> None:
    total, done = sum(one.tables for one in season.tournaments), 0
    for number, part in _parts(folder / CUT):
        mark = folder / PROGRESS / f"{number:06}.json"
        if mark.exists():
            done += len(list(part))
        for count in () if mark.exists() else _write_part(source, folder, number, part, mark, with_parquet):
            done += count
            progress(done, total)
        progress(done, total)


def _parts(path: Path) -> Iterator[tuple[int, Iterator[Cut]]]:
    """Yield the number of each part, from 1, with its tables."""
    decode = msgspec.json.Decoder(Cut).decode
    with gzip.open(path) as file:
        for number, lines in groupby(enumerate(file), lambda line: line[0] // PART):
            yield number + 1, (decode(line) for _, line in lines)


def _write_part(
    source: Source, folder: Path, number: int, part: Iterable[Cut], mark: Path, with_parquet: bool
) -> Iterator[int]:
    """Write the files of a part, and the mark that it is complete. Yields numbers of tables."""
    path = folder / "records" / f"{number:06}.jsonl.gz"
    rows = 0
    with ExitStack() as stack:
        records = stack.enter_context(files.compressed(stack.enter_context(files.written(path))))
        columns = parquet.writer(folder / "parquet", folder, number)
        writer, made = stack.enter_context(columns) if with_parquet else (None, [])
        for batch in _batches(source, part):
            records.writelines(_line(cut, matches) for cut, matches in batch)
            if writer:
                writer.write(batch)
            rows += len(batch)
            yield len(batch)
    with files.written(mark) as marked:
        marked.write_bytes(msgspec.json.encode([files.described(folder, path, rows), *made]))


def _batches(source: Source, part: Iterable[Cut]) -> Iterator[list[tuple[Cut, list[Match]]]]:
    tables = iter(part)
    while batch := list(islice(tables, BATCH)):
        played = [cut for cut in batch if cut.table.state == DONE]
        matches = _matches(source, played) if played else {}
        yield [(cut, matches.get(cut.table.id, [])) for cut in batch]


def _matches(source: Source, played: Sequence[Cut]) -> dict[int, list[Match]]:
    """Return the matches of these tables as of the cut, by table."""
    fences = {cut.table.id: cut.fence for cut in played}
    after, until = played[0].table.id - 1, played[-1].table.id
    found: dict[int, list[Match]] = {}
    while after < until and (part := source.attempts(after, until)):
        found |= {one.table: one.matches for one in part if one.fence == fences.get(one.table)}
        after = max(part[-1].table, after + 1)
    return found


def _line(cut: Cut, matches: list[Match]) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(cut.table, matches=matches)) + b"\n"


def _write_manifest(folder: Path, season: Season) -> None:
    marks = sorted((folder / PROGRESS).glob("*.json"))
    parts = [file for mark in marks for file in msgspec.json.decode(mark.read_bytes(), type=list[File])]
    head = files.described(folder, folder / SEASON, len(season.tournaments))
    manifest = Manifest(FORMAT, season.release, season.revision, season.cut, season.scope, [head, *parts])
    with files.written(folder / MANIFEST) as path:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")


def _finish(folder: Path) -> Manifest:
    """Delete what only an interrupted export needs, the cut last, and return the manifest."""
    if (folder / PROGRESS).exists():
        shutil.rmtree(folder / PROGRESS)
    (folder / CUT).unlink()
    return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
