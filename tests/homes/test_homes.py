"""Files of earlier releases are read by this one: homes are upgraded and play on; backups, exports and seeds agree."""

import gzip
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from sqlalchemy import func, select

from arena.db import transfer
from arena.db.migrate import upgrade
from arena.db.models import Match, Table
from arena.db.rows import Snapshot
from arena.exchange import exports
from arena.exchange.lines import Scope
from arena.services.base.context import Arena, open_arena
from arena.services.base.states import TableState
from arena.services.exchange.imports import import_export
from arena.services.exchange.sources import DatabaseSource
from arena.services.integrity import fsck
from arena.services.tournaments.evidence import Check, read
from arena.services.upkeep import backups
from tests import factories
from tests.db.test_migrate import differences
from tests.homes import API, BACKUP, BOTS, EXPORT, HOME, NAMES, SEED, home_of, kept, own


def each(name: str) -> pytest.MarkDecorator:
    """Run a test for each release of which a file with this name is kept."""
    return pytest.mark.parametrize("home", kept(name), ids=lambda home: home.name)


@pytest.fixture
def upgraded(database_url: str, home: Path, tmp_path: Path) -> Iterator[Arena]:
    """Open the home of a release after its upgrade in place."""
    before = home_of(home, tmp_path)
    if database_url.startswith("sqlite"):
        before.replace(tmp_path / "arena.db")
    else:
        with transfer.alone(f"sqlite:///{before}") as source, transfer.alone(database_url) as connection:
            transfer.fill(connection, Snapshot(source), replace=True)
    upgrade(database_url)
    with closing(open_arena(factories.settings_in(tmp_path, ARENA_DATABASE_URL=database_url))) as arena:
        yield arena


def wrong(arena: Arena) -> list[str]:
    """Return the findings that do not heal by themselves."""
    return [str(finding) for finding in fsck.check(arena) if not finding.heals]


def unpacked(home: Path, folder: Path) -> Path:
    """Return the folder of a kept export."""
    shutil.unpack_archive(home / EXPORT, folder / "kept")
    return folder / "kept"


def lines(export: Path) -> list[Any]:
    """Return the bots, tournaments and tables of an export."""
    season = json.loads((export / "season.json").read_bytes())
    packed = [gzip.decompress(part.read_bytes()) for part in sorted(export.glob("records/*.gz"))]
    return [season["bots"], season["tournaments"], [json.loads(line) for part in packed for line in part.splitlines()]]


def columns(export: Path) -> set[tuple[str, str, str]]:
    """Return the tables, columns and types of an export's Parquet files."""
    schemas = {path.parent.name: pq.read_schema(path) for path in export.glob("parquet/*/*.parquet")}
    return {(name, field.name, str(field.type)) for name, schema in schemas.items() for field in schema}


def holds(new: Any, old: Any) -> bool:
    """Return whether JSON is as it was, apart from added fields."""
    if isinstance(old, dict):
        return all(name in new and holds(new[name], value) for name, value in old.items())
    if isinstance(old, list):
        return len(old) == len(new) and all(map(holds, new, old))
    return bool(new == old)


@each(HOME)
def test_home_is_upgraded_and_plays_on(upgraded: Arena, home: Path) -> None:
    """Every match survives, boards and ratings follow from the same seeds and results, and tables in play end."""
    assert wrong(upgraded) == []
    assert differences(upgraded) == []
    with upgraded.reading() as session:
        assert session.scalar(select(func.count()).select_from(Match)) == 14
    backups.release(upgraded)
    factories.due_now(upgraded)
    with upgraded.reading() as session:
        waiting = session.scalars(select(Table.id).where(Table.state == TableState.QUEUED)).all()

    assert factories.play_all(upgraded, waiting) == ["done"] * 2
    assert wrong(upgraded) == []


@each(BACKUP)
def test_backup_is_restored(database_url: str, home: Path, tmp_path: Path) -> None:
    """Backups of each release are restored to both databases."""
    settings = factories.settings_in(tmp_path, ARENA_DATABASE_URL=database_url)

    assert backups.restore(settings, home / BACKUP, overwrite=True) == []


@each(EXPORT)
def test_export_is_imported(arena: Arena, home: Path, tmp_path: Path) -> None:
    """All results of an export are verified and rated."""
    factories.user(arena, "organiser", admin=True)
    report = import_export(arena, unpacked(home, tmp_path))

    assert (report.tournaments, report.tables, report.problems) == (3, 4, [])
    assert wrong(arena) == []


@each(EXPORT)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_export_of_a_home_only_gains_fields(upgraded: Arena, home: Path, tmp_path: Path) -> None:
    """An upgraded home exports what it exported before, in JSON and Parquet."""
    exports.export(DatabaseSource(upgraded, Scope()), tmp_path / "new")
    old = unpacked(home, tmp_path)

    assert holds(lines(tmp_path / "new"), lines(old))
    assert columns(tmp_path / "new") >= columns(old) > set()


@each(SEED)
def test_seed_gives_the_same_boards_and_places(home: Path) -> None:
    """The evidence of a finished tournament is still right."""
    with (home / SEED).open("rb") as file:
        header, tables = read(file)
        check = Check(header)

        assert list(check.differences(tables)) == []
    assert check.boards > 0


def test_this_release_is_kept() -> None:
    """A version is set together with the files that the release writes."""
    assert own() in kept(SEED), "run: python -m tests.homes"


@each(SEED)
def test_each_release_is_kept_whole(home: Path) -> None:
    """Nothing but these files is in a folder."""
    assert sorted(path.name for path in home.iterdir()) == sorted([API, BACKUP, BOTS, EXPORT, HOME, NAMES, SEED])
