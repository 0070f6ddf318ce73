"""`arena up` on the home of an older release: the database is backed up, and upgraded if that works on the copy."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.cli.migrate import back_up, prepare
from arena.games.errors import ArenaError
from arena.services.upkeep import backups
from arena.settings import Settings
from tests import factories
from tests.homes import BEFORE, home_of


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
