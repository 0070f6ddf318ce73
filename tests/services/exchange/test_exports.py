"""Exports: complete, consistent, and resumed after an interruption."""

import errno
import gzip
import itertools
import json
import os
import random
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from sqlalchemy import event

from arena.db.models import Attempt, Match
from arena.exchange import exports, files, parquet
from arena.exchange.columns import TABLES
from arena.exchange.lines import Scope
from arena.games.errors import ArenaError, NotFound, Unavailable
from arena.match.replay import verify
from arena.services.base.context import Arena, open_arena
from arena.services.exchange.sources import DatabaseSource
from tests import factories
from tests.services.exchange.conftest import export
from tests.services.queue.test_fairness import plan


class StoppedError(Exception):
    """Stands for an interruption."""


def stop_at(count: int) -> Any:
    """Return a progress that interrupts after this number of tables."""

    def progress(done: int, total: int) -> None:
        if done >= count:
            raise StoppedError

    return progress


def tables(folder: Path) -> list[dict[str, Any]]:
    """Return the tables of an export."""
    packed = [path.read_bytes() for path in sorted(folder.glob("records/*.gz"))]
    return [json.loads(line) for part in packed for line in gzip.decompress(part).splitlines()]


def parts(folder: Path) -> dict[str, bytes]:
    """Return the files of an export but the manifest and the season, which have the time of the cut."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("0*")}


def everything(folder: Path) -> dict[str, bytes]:
    """Return all files of an export; instead of the manifest and the season, that they are there."""
    timed = ("manifest.json", "season.json")
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): b"" if path.name in timed else path.read_bytes() for path in found}


def test_records_verify(exported: Path) -> None:
    """Every record of an export replays, and each table that was played has its matches."""
    found = tables(exported)

    assert found
    for table in found:
        assert bool(table["matches"]) == (table["state"] == "done")
        for match in table["matches"]:
            verify(json.dumps(match["record"]).encode())


def test_manifest_lists_every_file(exported: Path) -> None:
    """The manifest has size and hash of each file, and no other file is left."""
    manifest = json.loads((exported / "manifest.json").read_text())

    paths = {file["path"] for file in manifest["files"]}
    assert paths | {"manifest.json"} == {str(p.relative_to(exported)) for p in exported.rglob("*") if p.is_file()}
    for file in manifest["files"]:
        assert files.digest(exported / file["path"]) == file["sha256"]
        assert (exported / file["path"]).stat().st_size == file["bytes"]


def test_parquet_agrees_with_records(exported: Path) -> None:
    """The Parquet tables have the documented columns, and the moves and results of the records."""
    read = {name: pq.read_table(exported / "parquet" / name) for name in TABLES}
    found = tables(exported)

    for name, columns in TABLES.items():
        assert read[name].column_names == [column.name for column in columns]
    records = {match["id"]: match["record"] for table in found for match in table["matches"]}
    moves = [(id, seat, action) for id, record in records.items() for seat, action in record["moves"]]
    assert list(zip(*(read["moves"][name].to_pylist() for name in ("match", "seat", "action")), strict=True)) == moves
    assert read["seats"]["score"].to_pylist() == [score for record in records.values() for score in record["scores"]]
    boards = [board for record in records.values() for board in record["boards"]]
    dealt = [card for board in boards for hand in board["hands"] for card in hand]
    turned = [board["turn_up"] for board in boards if "turn_up" in board]
    assert sorted(read["cards"]["card"].to_pylist()) == sorted(dealt + turned)
    played = [place["rank"] for table in found if table["matches"] for place in table["places"]]
    assert read["results"]["rank"].to_pylist() == played
    assert len(read["ratings"]) == len(played)


def test_cards_of_every_board_have_places() -> None:
    """Cards of hands, piles, turn-ups and tie-breaks are rows with a place; piles and tie-breaks have positions."""
    board = {"hands": [["5D", "2C"], ["3C"]], "turn_up": "4S", "piles": {"H": ["KH", "2H"]}, "tie_break": ["7C"]}

    assert list(parquet.cards(board)) == [
        ("2C", "0", None), ("3C", "1", None), ("5D", "0", None), ("KH", "H", 0), ("2H", "H", 1), ("4S", "turn_up", 0),
        ("7C", "tie_break", 0),
    ]  # fmt: skip


def test_secret_seeds_stay_secret(exported: Path) -> None:
    """The seed of a tournament is exported once it is over."""
    season = json.loads((exported / "season.json").read_text())

    for tournament in season["tournaments"]:
        assert (tournament["seed"] is not None) == (tournament["state"] == "finished")
    assert {"running", "finished"} <= {tournament["state"] for tournament in season["tournaments"]}


@pytest.mark.parametrize(
    ("scope", "ids"),
    [(Scope(tournament=1), {1}), (Scope(game="suits_steere"), set()), (Scope(variant="suitability-2"), {4, 5})],
)
def test_scope_limits_tournaments(season: Arena, tmp_path: Path, scope: Scope, ids: set[int]) -> None:
    """A tournament, a game or a variant is exported alone."""
    export(season, tmp_path / "export", scope, with_parquet=False)

    assert {table["tournament"] for table in tables(tmp_path / "export")} == ids


@pytest.mark.parametrize("with_parquet", [True, False])
def test_interrupted_export_goes_on(
    season: Arena, exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_parquet: bool
) -> None:
    """Running the command again writes the missing parts of the same cut, and repeats none."""
    monkeypatch.setattr(exports, "PART", 2)
    whole, folder = tmp_path / "whole", tmp_path / "export"
    export(season, whole, Scope(), with_parquet=with_parquet)
    with pytest.raises(StoppedError):
        export(season, folder, Scope(), with_parquet=with_parquet, progress=stop_at(3))
    first = folder / "records" / "000001.jsonl.gz"
    written = first.stat().st_mtime_ns

    manifest = export(season, folder, Scope(), with_parquet=with_parquet)

    assert first.stat().st_mtime_ns == written
    assert parts(folder) == parts(whole)
    assert sum(file.rows for file in manifest.files if "records" in file.path) == len(tables(exported))


def test_cut_does_not_change_while_arena_plays(
    season: Arena, exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results that are set aside after the cut are still exported, and later ones are not."""
    monkeypatch.setattr(exports, "PART", 1)
    shutil.copy(season.settings.home / "arena.db", tmp_path / "arena.db")
    arena = open_arena(factories.settings_in(tmp_path))
    with pytest.raises(StoppedError):
        export(arena, tmp_path / "export", Scope(), progress=stop_at(1))
    with arena.transaction() as session:
        session.query(Match).update({"superseded": True})
        for old in session.query(Match).all():
            again = {"fence": old.fence + 10, "seating": old.seating, "record": old.record}
            session.merge(Attempt(table_id=old.table_id, fence=old.fence + 10, worker="host:1", started=0.0))
            session.flush()
            session.add(Match(table_id=old.table_id, **again))

    export(arena, tmp_path / "export", Scope())

    assert tables(tmp_path / "export") == tables(exported)
    arena.close()


def test_matches_are_found_by_an_index(season: Arena) -> None:
    """Reading the matches of some tables costs the same however many others there are."""
    queries: list[tuple[str, object]] = []
    source = DatabaseSource(season, Scope())

    @event.listens_for(season.database.engine, "before_cursor_execute")
    def note(connection: object, cursor: object, statement: str, parameters: object, *_: object) -> None:
        queries.append((statement, parameters))

    source.attempts(1, 2**53)
    event.remove(season.database.engine, "before_cursor_execute", note)

    plans = "\n".join(plan(season, *query) for query in queries if "FROM match" in query[0])
    assert "uq_matches" in plans or "autoindex_matches" in plans
    assert "SCAN match" not in plans


def test_other_export_is_not_mixed_in(season: Arena, exported: Path, tmp_path: Path) -> None:
    """A folder with an export, the beginning of another one, or other files is refused."""
    with pytest.raises(StoppedError):
        export(season, tmp_path / "begun", Scope(), progress=stop_at(1))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes").touch()
    for folder, sentence in {
        exported: "complete export",
        tmp_path / "begun": "beginning of another",
        tmp_path / "full": "not empty",
    }.items():
        with pytest.raises(ArenaError, match=sentence):
            export(season, folder, Scope(tournament=1))


def test_folder_that_cannot_be_written_is_named(season: Arena, tmp_path: Path) -> None:
    """An error of the file system is one sentence."""
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="cannot be written: Not a directory"):
        export(season, tmp_path / "file" / "export", Scope())


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_full_or_read_only_disk_leaves_no_half_file(
    season: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """The error is one sentence that says which disk failed, and no file has its name before it is complete."""

    def fail(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(Unavailable, match=f"{tmp_path}/export cannot be written: {os.strerror(number)}"):
        export(season, tmp_path / "export", Scope())

    assert [path.name for path in (tmp_path / "export").iterdir() if not path.name.startswith(".")] == ["parquet"]


def killed_at(arena: Arena, folder: Path, point: int) -> int:
    """Export in a child process that is killed at this call of `fsync`; return the signal that ended it."""
    child = os.fork()
    if child:
        return os.WTERMSIG(os.waitpid(child, 0)[1])
    calls = itertools.count(1)
    os.fsync = lambda fd: os.kill(os.getpid(), signal.SIGKILL) if next(calls) == point else None
    export(open_arena(arena.settings), folder, Scope())
    os._exit(1)


def test_killed_export_goes_on(season: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever an export is killed, the same command makes it equal to an undisturbed one."""
    monkeypatch.setattr(exports, "PART", 3)
    calls = itertools.count()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", lambda descriptor: next(calls))
        export(season, tmp_path / "whole", Scope())
    last = next(calls)

    for point in [*random.Random(7).sample(range(1, last), 3), last]:
        folder = tmp_path / str(point)
        assert killed_at(season, folder, point) == signal.SIGKILL
        export(season, folder, Scope())
        assert everything(folder) == everything(tmp_path / "whole")


def test_missing_pyarrow_is_explained(season: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pyarrow the error says how to install it, and nothing is written."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ArenaError, match=r"pip install 'suit-arena\[parquet\]'"):
        export(season, tmp_path / "export", Scope())
    assert not (tmp_path / "export").exists()


@pytest.mark.parametrize("scope", [Scope(tournament=99), Scope(game="chess"), Scope(variant="chess-2")])
def test_unknown_scope_is_refused(season: Arena, tmp_path: Path, scope: Scope) -> None:
    """A tournament, game or variant that does not exist is named, and the folder can be used again."""
    with pytest.raises(NotFound, match="There is no"):
        export(season, tmp_path / "export", scope)

    export(season, tmp_path / "export", Scope(tournament=1))
