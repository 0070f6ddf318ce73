"""Backups, restoring and moving on the command line."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic import command
from click.testing import CliRunner, Result
from sqlalchemy import update

from arena.cli import main
from arena.db import transfer
from arena.db.migrate import config
from arena.db.models import Version
from arena.services.base.context import open_arena
from tests import factories

Run = Callable[..., Result]


@pytest.fixture
def run(sqlite_template: Path, tmp_path: Path) -> Run:
    """Return a function that runs `arena` on a SQLite database with one account."""
    shutil.copy(sqlite_template, tmp_path / "arena.db")
    arena = open_arena(factories.settings_in(tmp_path))
    factories.user(arena, "organiser", admin=True)
    arena.close()

    def run(*words: object, home: Path = tmp_path) -> Result:
        environ = {"ARENA_HOME": str(home), "ARENA_DATABASE_URL": ""}
        return CliRunner().invoke(main, list(map(str, words)), prog_name="arena", env=environ)

    return run


def test_backup_into_folder_is_restored_elsewhere(run: Run, tmp_path: Path) -> None:
    """The file is named after the time, and the commands say what they did."""
    made = run("backup", tmp_path)
    (file,) = tmp_path.glob("arena-*.zip")
    assert made.exit_code == 0
    assert re.fullmatch(
        rf"{file}: 1 rows, {file.stat().st_size} bytes, as of [\d-]+ [\d:]+ UTC\neverything agrees\n", made.stdout
    )

    new = tmp_path / "new"
    assert run("restore", file, home=new).stdout == "everything agrees\n"
    assert run("account", "organiser", "--admin", home=new).stdout == "organiser is now an administrator.\n"
    assert f"the operator  restored a backup  the arena  {file.name}" in run("audit", home=new).stdout


def test_restore_needs_replace(run: Run, tmp_path: Path) -> None:
    """The refusal names the option."""
    run("backup", tmp_path / "arena.zip", "--no-verify")
    refused = run("restore", tmp_path / "arena.zip")

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == (
        f"arena: The database sqlite:///{tmp_path}/arena.db already holds an arena. --replace deletes it.\n"
    )
    assert run("restore", tmp_path / "arena.zip", "--replace").exit_code == 0


def test_store_is_migrated(run: Run, tmp_path: Path) -> None:
    """The command says what to do next, and refuses a source that does not exist."""
    source, target = (f"sqlite:///{tmp_path}/{name}.db" for name in ("arena", "other"))
    assert run("migrate-store", source, target).stdout == (
        "everything agrees\nSet ARENA_DATABASE_URL to the new database on every machine, then start the arena.\n"
    )

    (tmp_path / "other").mkdir()
    (tmp_path / "other.db").rename(tmp_path / "other" / "arena.db")
    assert "the operator  moved to another database" in run("audit", home=tmp_path / "other").stdout
    missing = run("migrate-store", f"sqlite:///{tmp_path}/none.db", target)
    assert missing.stderr.startswith(f"arena: There is no database {tmp_path}/none.db. ")
    assert not (tmp_path / "none.db").exists()
    misused = run("migrate-store", "mysql://host/arena", target)
    assert misused.exit_code == 2
    assert "'FROM': must be sqlite:///PATH or postgresql://" in misused.stderr


def test_damage_in_a_backup_is_reported(run: Run, tmp_path: Path) -> None:
    """A backup of a damaged arena is written, with a line for each inconsistency and exit code 1."""
    arena = open_arena(factories.settings_in(tmp_path))
    factories.bot(arena, factories.user(arena, "author"), "damaged")
    with arena.transaction() as session:
        session.connection().execute(update(Version).values(source=b"x"))
    arena.close()

    made = run("backup", tmp_path / "arena.zip")

    assert made.exit_code == 1
    assert "version 1: its source does not match the size and hash recorded at upload\n" in made.stdout
    assert made.stdout.endswith("the copy is complete; inconsistencies: 1\n")
    assert (tmp_path / "arena.zip").exists()


def test_backup_before_an_upgrade(run: Run, tmp_path: Path) -> None:
    """The database of an older release can be backed up, and an empty one cannot."""
    (tmp_path / "old").mkdir()
    with transfer.alone(f"sqlite:///{tmp_path}/old/arena.db") as connection:
        command.upgrade(config(connection), "0032")
    assert run("backup", tmp_path / "old.zip", home=tmp_path / "old").stdout.endswith("everything agrees\n")

    (tmp_path / "arena.db").unlink()
    with transfer.alone(f"sqlite:///{tmp_path}/arena.db"):
        pass
    assert run("backup", tmp_path / "empty.zip").stderr == "arena: The database (ARENA_DATABASE_URL) holds no arena.\n"
