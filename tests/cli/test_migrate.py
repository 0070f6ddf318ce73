"""`arena up` on the home of an older release: the database is backed up, and upgraded if that works on the copy."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.cli.migrate import back_up, prepare
from arena.db import schema
from arena.exits import ExitCode
from arena.games.errors import ArenaError
from arena.services.base.context import open_arena
from arena.services.upkeep import backups
from arena.settings import Settings
from tests import factories
from tests.cli.test_up import free_port
from tests.homes import BEFORE, home_of
from tests.hosts.releases import add_migration


@pytest.fixture
def old(tmp_path: Path) -> Settings:
    """Return the settings of a home whose database has the first schema that can be upgraded."""
    home_of(BEFORE, tmp_path).rename(tmp_path / "arena.db")
    return factories.settings_in(tmp_path)


def schema_of(settings: Settings) -> str:
    """Return the schema of a home's database."""
    with closing(sqlite3.connect(settings.home / "arena.db")) as connection:
        found: str = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    return found


def test_database_is_backed_up_before_an_upgrade(old: Settings, tmp_path: Path) -> None:
    """The sentence names the file, the database is only read, and the backup can be restored after the upgrade."""
    notes: list[str] = []
    before = schema_of(old)

    back_up(old, notes.append)

    (file,) = (tmp_path / "backups").iterdir()
    assert file.name.startswith(f"schema-{before}-")
    assert notes == [
        f"The database is of an older release. It is backed up to {file}, and the upgrade is tried on the copy."
    ]
    assert schema_of(old) == before
    prepare(old)
    assert schema_of(old) > before
    assert backups.restore(old, file, overwrite=True) == []


def test_inconsistent_copy_prevents_the_upgrade(old: Settings) -> None:
    """An error names the first finding and the command that upgrades anyway; the database does not change."""
    with closing(sqlite3.connect(old.home / "arena.db")) as connection:
        connection.execute("UPDATE versions SET sha256 = zeroblob(32) WHERE id = 1")
        connection.commit()
    before = schema_of(old)

    with pytest.raises(ArenaError, match=r"inconsistent: version 1: its source .* run: arena migrate$"):
        back_up(old, lambda _: None)
    assert schema_of(old) == before


def test_nothing_is_backed_up_without_need(tmp_path: Path) -> None:
    """Neither a new home nor one of this release has anything to upgrade."""
    settings = factories.settings_in(tmp_path)
    notes: list[str] = []
    back_up(settings, notes.append)
    prepare(settings)
    back_up(settings, notes.append)

    assert notes == []
    assert not (tmp_path / "backups").exists()


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], AbstractContextManager[None]]:
    """Return a function that makes this release, for a while, one that has another migration."""

    @contextmanager
    def release() -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.setattr(schema, "MIGRATIONS", migrations)
            schema._revisions.cache_clear()
            yield
        schema._revisions.cache_clear()

    migrations = tmp_path / "migrations"
    shutil.copytree(schema.MIGRATIONS, migrations)
    add_migration(migrations)
    return release


def test_restore_undoes_an_upgrade(newer: Callable[[], AbstractContextManager[None]], tmp_path: Path) -> None:
    """A release refuses the home that a newer one has upgraded, until it restores the backup made before."""
    settings = factories.settings_in(tmp_path / "home", ARENA_WORKERS="1", ARENA_PORT=str(free_port()))
    prepare(settings)
    before = schema_of(settings)
    with closing(open_arena(settings)) as arena:
        author = factories.user(arena, "author")
        cup = factories.tournament(arena, author, factories.field_of(arena, author, 3), "suitability-2")
        factories.play_all(arena, factories.table_ids(arena, cup)[:1])
    run = CliRunner(env=settings.environ()).invoke
    with newer():
        back_up(settings, lambda _: None)
        prepare(settings)
    assert schema_of(settings) > before

    refused = run(main, ["up"])
    assert refused.exit_code == ExitCode.MISCONFIGURED
    known = f"(schema {int(before) + 1:04}; this release knows up to {before})"
    assert refused.stderr.endswith(f"is of a newer release {known}. Upgrade Suit Arena on this machine.\n")
    (file,) = (settings.home / "backups").iterdir()
    assert run(main, ["restore", "--replace", str(file)]).stdout == "everything agrees\n"
    assert schema_of(settings) == before
    with closing(open_arena(settings)) as arena:
        assert factories.play_all(arena, factories.table_ids(arena, cup)) == ["nothing", "done", "done"]
