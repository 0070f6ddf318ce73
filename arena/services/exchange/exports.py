"""Exports: write results as files while the arena plays, part by part, so that an interrupted export goes on."""

import gzip
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import select, tuple_

from arena.db.models import Match, MatchSeat
from arena.games.errors import ArenaError, Unavailable
from arena.match.record import encode, unpack
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.exchange import cuts, files, lines, parquet
from arena.services.exchange.lines import FORMAT, Cut, File, Manifest, Scope, Season

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


def export(
    arena: Arena, folder: Path, scope: Scope, *, with_parquet: bool = True,
    progress: Progress = lambda done, total: None,
) -> Manifest:  # fmt: skip
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
        season = _begun(arena, folder, scope, with_parquet)
        if not complete:
            _write_parts(arena, folder, season, with_parquet, progress)
            _write_manifest(folder, season)
        return _finish(folder)
    except OSError as error:
        raise Unavailable(f"The export {folder} cannot be written: {error.strerror or error}") from None


def _begun(arena: Arena, folder: Path, scope: Scope, with_parquet: bool) -> Season:
    """Take the cut, or return the season of the one that is there."""
    if (folder / CUT).exists():
        season = msgspec.json.decode((folder / SEASON).read_bytes(), type=Season)
        if season.scope != scope or (folder / "parquet").exists() != with_parquet:
            raise ArenaError(f"{folder} holds the beginning of another export. Repeat its options, or delete it.")
        return season
    if folder.exists() and any(one for one in folder.iterdir() if not one.name.startswith(".")
                               and one.name not in (SEASON, "parquet")):  # fmt: skip
        raise ArenaError(f"{folder} is not empty. Choose another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    if with_parquet:
        (folder / "parquet").mkdir(exist_ok=True)
    with arena.reading() as session:
        cuts.check_scope(session, scope)
        season = cuts.season(session, scope)
        with files.written(folder / SEASON) as path:
            path.write_bytes(msgspec.json.format(msgspec.json.encode(season)) + b"\n")
        with files.written(folder / CUT) as path, files.compressed(path) as file:
            file.writelines(msgspec.json.encode(cut) + b"\n" for cut in cuts.tables(session, scope))
    return season


def _write_parts(arena: Arena, folder: Path, season: Season, with_parquet: bool, progress: Progress) -> None:
    total, done = sum(one.tables for one in season.tournaments), 0
    for number, part in enumerate(_parts(folder / CUT), 1):
        mark = folder / PROGRESS / f"{number:06}.json"
        if mark.exists():
            done += len(list(part))
        for count in () if mark.exists() else _write_part(arena, folder, number, part, mark, with_parquet):
            done += count
            progress(done, total)
        progress(done, total)


def _parts(path: Path) -> Iterator[Iterable[Cut]]:
    """Yield the tables of each part. A part must be read before the next."""
    decode = msgspec.json.Decoder(Cut).decode
    with gzip.open(path) as file:
        tables = map(decode, file)
        for first in tables:
            yield _chained(first, islice(tables, PART - 1))


def _chained(first: Cut, others: Iterable[Cut]) -> Iterator[Cut]:
    yield first
    yield from others


def _write_part(
    arena: Arena, folder: Path, number: int, part: Iterable[Cut], mark: Path, with_parquet: bool
) -> Iterator[int]:
    """Write the files of a part, and the mark that it is complete. Yields numbers of tables."""
    path = folder / "records" / f"{number:06}.jsonl.gz"
    rows = 0
    with ExitStack() as stack:
        records = stack.enter_context(files.compressed(stack.enter_context(files.written(path))))
        writer, made = _columns(folder, number, stack) if with_parquet else (None, [])
        for batch in _batches(arena, part):
            records.writelines(_line(cut, matches) for cut, matches in batch)
            if writer:
                writer.write(batch)
            rows += len(batch)
            yield len(batch)
    with files.written(mark) as marked:
        marked.write_bytes(msgspec.json.encode([files.described(folder, path, rows), *made]))


def _columns(folder: Path, number: int, stack: ExitStack) -> tuple[parquet.Writer | None, list[File]]:
    return stack.enter_context(parquet.writer(folder / "parquet", folder, number))


def _batches(arena: Arena, part: Iterable[Cut]) -> Iterator[list[tuple[Cut, list[lines.Match]]]]:
    tables = iter(part)
    while batch := list(islice(tables, BATCH)):
        matches = _matches(arena, [cut for cut in batch if cut.table.state == TableState.DONE])
        yield [(cut, matches.get(cut.table.id, [])) for cut in batch]


def _matches(arena: Arena, played: Sequence[Cut]) -> dict[int, list[lines.Match]]:
    """Return the matches of these tables as of the cut, by table."""
    attempts = tuple_(Match.table_id, Match.fence).in_([(cut.table.id, cut.fence) for cut in played])
    found: dict[int, list[lines.Match]] = defaultdict(list)
    with arena.reading() as session:
        seats = _seats(session.execute(
            select(MatchSeat.match_id, MatchSeat.version_id, MatchSeat.cpu, MatchSeat.wall, MatchSeat.memory)
            .join(Match).where(attempts).order_by(MatchSeat.match_id, MatchSeat.seat)
        ))  # fmt: skip
        for row in session.execute(
            select(Match.table_id, Match.id, Match.seating, Match.cage, Match.finished, Match.record)
            .where(attempts)
            .order_by(Match.table_id, Match.seating)
        ):
            record = msgspec.Raw(encode(unpack(row.record)).rstrip())
            found[row.table_id].append(lines.Match(row.id, row.seating, row.cage, row.finished, seats[row.id], record))
    return found


def _seats(rows: Iterable[Sequence[object]]) -> dict[object, list[lines.Seat]]:
    found: dict[object, list[lines.Seat]] = defaultdict(list)
    for match, *seat in rows:
        found[match].append(lines.Seat(*seat))  # type: ignore[arg-type]
    return found


def _line(cut: Cut, matches: list[lines.Match]) -> bytes:
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
