"""Backups, restored and moved arenas: nothing is lost, and whatever fails changes nothing."""

import errno
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from sqlalchemy import select, text

from arena.db import transfer
from arena.db.archive import MANIFEST
from arena.db.models import CurrentRating, Table
from arena.db.rows import Counter, Row, Snapshot, Tally
from arena.games.errors import ArenaError, NotFound
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.integrity import fsck
from arena.services.people import keys, resets, sessions
from arena.services.queue import claims
from arena.services.upkeep import backups
from arena.services.work import sweep
from arena.settings import Settings
from tests import factories
from tests.homes import BEFORE, home_of

VARIANT = "suitability-2"
"""Variant with fast matches."""

Members = dict[str, bytes]


@pytest.fixture
def cup(arena: Arena, admin: Account) -> list[int]:
    """Start a tournament and play half of it; return the IDs of its six tables."""
    tables = factories.table_ids(
        arena, factories.tournament(arena, admin, factories.field_of(arena, admin, 4), VARIANT)
    )
    factories.play_all(arena, tables[:3])
    return tables


@pytest.fixture
def other(tmp_path: Path) -> Settings:
    """Return settings with a SQLite database that does not exist yet."""
    return replace(factories.settings_in(tmp_path), database_url=f"sqlite:///{tmp_path}/other.db")


def content(settings: Settings) -> Mapping[str, Tally]:
    """Return the tallies of all tables."""
    with transfer.alone(settings.database_url) as connection:
        snapshot = Snapshot(connection)
        return {name: tally(snapshot, name) for name in sorted(snapshot.tables)}


def tally(snapshot: Snapshot, name: str) -> Tally:
    """Return the tally of a table, with its columns in alphabetical order."""
    counter = Counter(snapshot.tables[name], sorted(snapshot.columns[name]))
    for _ in counter.through(snapshot.rows(snapshot.tables[name], sorted(snapshot.columns[name]))):
        pass
    return counter.tally


def rated(arena: Arena) -> list[tuple[int, float, float]]:
    """Return the current ratings."""
    with arena.reading() as session:
        chosen = select(CurrentRating.version_id, CurrentRating.mu, CurrentRating.sigma)
        return [(*row,) for row in session.execute(chosen.order_by(CurrentRating.version_id))]


def test_backup_taken_while_playing_plays_on(
    arena: Arena, cup: list[int], other: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results that arrive between two tables of the backup are not in it, and its interrupted table is played again."""
    waiting, rows = iter(cup[4:]), Snapshot.rows

    def rows_while_playing(snapshot: Snapshot, *given: object) -> Iterator[Row]:
        factories.play_all(arena, [table for table in [next(waiting, None)] if table])
        yield from rows(snapshot, *given)  # type: ignore[arg-type]

    assert claims.claim(arena, cup[3], "a worker that is playing")
    with monkeypatch.context() as patched:
        patched.setattr(Snapshot, "rows", rows_while_playing)
        backups.backup(arena, tmp_path / "arena.zip")
    assert next(waiting, None) is None

    assert backups.verify(arena.settings, tmp_path / "arena.zip") == []
    assert backups.restore(other, tmp_path / "arena.zip") == []
    restored = open_arena(other, bell := factories.Bell())
    with restored.reading() as session:
        assert session.scalars(select(Table.state).order_by(Table.id)).all() == ["done"] * 3 + ["queued"] * 3
    sweep.tick(restored)
    assert bell.tables() == cup[4:]
    for each in (arena, restored):
        backups.release(each)
        factories.due_now(each)
        factories.play_all(each, cup[3:])
        sweep.tick(each)
    assert rated(restored) == rated(arena)
    assert fsck.check(restored) == []
    restored.close()


def test_backup_replaces_an_arena(arena: Arena, admin: Account, cup: list[int], tmp_path: Path) -> None:
    """Everything is as before, and new rows get new IDs."""
    backups.release(arena)
    backups.backup(arena, tmp_path / "arena.zip")
    arena.close()
    before = content(arena.settings)
    factories.play_all(arena, cup[3:])
    factories.user(arena, "newcomer")
    arena.close()

    assert backups.restore(arena.settings, tmp_path / "arena.zip", overwrite=True) == []

    assert content(arena.settings) == before
    assert factories.user(arena, "another").id == admin.id + 1
    arena.close()


def test_restored_arena_has_no_sessions(arena: Arena, admin: Account, other: Settings, tmp_path: Path) -> None:
    """A session or link that ended after the backup does not come back with it."""
    backup = tmp_path / "arena.zip"
    token = sessions.begin(arena, admin, "")
    key = keys.make(arena, admin, "Laptop", ["read"])
    link = resets.make_link(arena, None, admin.name).removeprefix("/reset/")
    backups.backup(arena, backup)

    assert backups.restore(other, backup) == []

    with closing(open_arena(other)) as restored:
        assert sessions.find(restored, token) is None
        assert keys.find(restored, key) is None
        with pytest.raises(NotFound):
            resets.holder(restored, link)


def test_arena_moves_to_another_database_and_back(arena: Arena, cup: list[int], other: Settings) -> None:
    """Every table is equal on both kinds of database."""
    backups.release(arena)
    arena.close()
    before = content(arena.settings)

    assert backups.move(other, arena.settings.database_url) == []
    assert content(other) == before
    assert backups.move(arena.settings, other.database_url, overwrite=True) == []
    assert content(arena.settings) == before

    factories.play_all(arena, cup[3:])
    assert fsck.check(arena) == []


def test_backup_of_an_older_schema_is_upgraded(other: Settings, tmp_path: Path) -> None:
    """The rows are restored to the schema that they had, and then migrated."""
    with closing(open_arena(replace(other, database_url=f"sqlite:///{home_of(BEFORE, tmp_path)}"))) as arena:
        backups.backup(arena, tmp_path / "old.zip")

    assert backups.restore(other, tmp_path / "old.zip") == []


def test_every_index_and_reference_is_created_again(arena: Arena, admin: Account, tmp_path: Path) -> None:
    """The schema after restoring has the definitions that it had before."""
    backups.backup(arena, tmp_path / "arena.zip")
    query = transfer.SLOW[arena.database.engine.name]
    with arena.reading() as session:
        before = sorted(map(tuple, session.execute(text(query))))
    arena.close()

    backups.restore(arena.settings, tmp_path / "arena.zip", overwrite=True)

    with arena.reading() as session:
        assert sorted(map(tuple, session.execute(text(query)))) == before
    assert len(before) > 10


def test_database_in_use_is_refused(arena: Arena, admin: Account, other: Settings, tmp_path: Path) -> None:
    """A worker that is still connected would submit results of the arena that was replaced."""
    backups.backup(arena, tmp_path / "arena.zip")

    with pytest.raises(ArenaError, match="is in use"):
        backups.restore(arena.settings, tmp_path / "arena.zip", overwrite=True)
    with pytest.raises(ArenaError, match="is in use"):
        backups.move(other, arena.settings.database_url)


def test_arena_is_not_replaced_by_accident(arena: Arena, admin: Account, tmp_path: Path) -> None:
    """A database that holds an arena is refused and stays as it is."""
    backups.backup(arena, tmp_path / "arena.zip")
    arena.close()
    before = content(arena.settings)

    with pytest.raises(ArenaError, match="already holds an arena"):
        backups.restore(arena.settings, tmp_path / "arena.zip")
    assert content(arena.settings) == before


def cut(members: Members) -> None:
    """Remove a table."""
    del members["users.jsonl"]


def change(members: Members) -> None:
    """Change a value to another of the same type."""
    members["users.jsonl"] = members["users.jsonl"].replace(b'"organiser"', b'"impostor"', 1)


def mistype(members: Members) -> None:
    """Change a value to one of another type."""
    members["users.jsonl"] = members["users.jsonl"].replace(b'"organiser"', b"7")


def manifest(**values: object) -> Callable[[Members], None]:
    """Return a function that changes the manifest."""

    def changed(members: Members) -> None:
        members[MANIFEST] = json.dumps(json.loads(members[MANIFEST]) | values).encode()

    return changed


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (cut, "is not a complete backup of an arena: There is no item named 'users.jsonl'"),
        (change, "is damaged: its rows differ from those that were written"),
        (mistype, r"is damaged: Expected `str`, got `int` - at `\$\[1\]`"),
        (manifest(format=2, tables=7), "has format 2; this release reads format 1"),
        (manifest(revision="9999"), "The data is of a newer release .schema 9999; .* Upgrade Suit Arena"),
        (manifest(revision="0031"), "The data is from before the first release .schema 0031; .* upgrades from 0032 on"),
        (manifest(tables={}), "does not fit its schema .* alike_pairs, .* versions, webhooks differ"),
        (manifest(tables=7), "is damaged: Expected `object`, got `int`"),
        (lambda members: members.pop(MANIFEST), "is not a complete backup of an arena: There is no item named"),
    ],
)
def test_damaged_backup_changes_nothing(
    sqlite_template: Path, tmp_path: Path, harm: Callable[[Members], None], says: str
) -> None:
    """The error says what is wrong, and the database stays as it was."""
    whole, harmed = tmp_path / "arena.zip", tmp_path / "harmed.zip"
    settings = factories.settings_in(tmp_path)
    arena = open_arena(settings)
    (tmp_path / "arena.db").write_bytes(sqlite_template.read_bytes())
    factories.user(arena, "organiser", admin=True)
    backups.backup(arena, whole)
    arena.close()
    before = content(settings)
    with ZipFile(whole) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    harm(members)
    with ZipFile(harmed, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)

    with pytest.raises(ArenaError, match=says):
        backups.restore(settings, harmed, overwrite=True)
    assert content(settings) == before


def test_truncated_and_foreign_files_are_refused(arena: Arena, other: Settings, tmp_path: Path) -> None:
    """No part of a backup is restored, and neither is any other file."""
    backups.backup(arena, tmp_path / "arena.zip")
    data = (tmp_path / "arena.zip").read_bytes()
    file = tmp_path / "file"

    for start in (b"", b"Dear operator,", data[:100], data[: len(data) // 2], data[:-1]):
        file.write_bytes(start)
        with pytest.raises(ArenaError, match="is not a complete backup of an arena"):
            backups.restore(other, file)
    with pytest.raises(ArenaError, match="cannot be read: No such file"):
        backups.restore(other, tmp_path / "missing")
    assert not (tmp_path / "other.db").exists()


def test_backup_is_private_and_replaces_no_file(arena: Arena, tmp_path: Path) -> None:
    """Only its user can read it, because it has the sources of all bots; an existing file is never replaced."""
    path = tmp_path / "arena.zip"
    backups.backup(arena, path)

    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(ArenaError, match=r"arena\.zip already exists"):
        backups.backup(arena, path)
    with pytest.raises(ArenaError, match=r"none/arena\.zip cannot be written: No such file"):
        backups.backup(arena, tmp_path / "none" / "arena.zip")
    assert sorted(file.name for file in tmp_path.iterdir() if file.name.startswith(".")) == []


def test_full_disk_leaves_nothing_behind(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The part that was written is deleted, and the error is the disk's."""

    def no_space(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backups, "write", no_space)

    with pytest.raises(ArenaError, match=r"arena\.zip cannot be written: No space left on device"):
        backups.backup(arena, tmp_path / "arena.zip")
    assert [file for file in tmp_path.iterdir() if not file.name.startswith("arena.db")] == []
