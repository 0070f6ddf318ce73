"""Databases of other releases are recognised and refused."""

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from click.testing import CliRunner
from sqlalchemy import text

from arena.cli import main
from arena.db import migrate, schema
from arena.db.schema import ForeignSchema
from arena.db.session import connect
from arena.exits import ExitCode
from arena.services.base.context import Arena
from tests import factories

TOO_OLD = "is from before the first release (schema 0031; this release upgrades from 0032 on). Run the last development"
NEWER = "is of a newer release (schema 9999; this release knows up to"
READERS = (
    ["fsck"],
    ["ratings", "check"],
    ["tallies", "rebuild"],
    ["tournament", "list"],
    ["account", "ada", "--admin"],
)
PARTS = (["web"], ["worker"], ["beat"])


def set_revision(url: str, revision: str | None) -> None:
    """Make a database look like one of another release, or like an empty one."""
    engine = connect(url, pooled=False)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM alembic_version"))
        if revision is not None:
            connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": revision})
    engine.dispose()


def check(arena: Arena) -> None:
    """Check the schema as the parts do."""
    with arena.reading() as session:
        schema.check(session.connection())


def test_newest_revision_is_the_head_of_the_migrations() -> None:
    """The names of the files give the same answer as Alembic."""
    head = ScriptDirectory(str(schema.MIGRATIONS)).get_current_head()

    assert schema.newest() == head


@pytest.mark.parametrize(
    ("revision", "says"),
    [
        ("0031", TOO_OLD),
        ("9999", NEWER),
        (None, "holds no arena. To create one, run: arena migrate"),
        ("4f1e", "'4f1e'"),
    ],
)
def test_foreign_schema_is_refused(arena: Arena, revision: str | None, says: str) -> None:
    """The sentence says what the database is and what to do; a database of this release passes."""
    check(arena)

    set_revision(arena.settings.database_url, revision)

    with pytest.raises(ForeignSchema) as refused:
        check(arena)
    assert says in str(refused.value)


def test_database_without_tables_holds_no_arena(tmp_path: Path) -> None:
    """An empty file is not an error of SQL."""
    engine = connect(f"sqlite:///{tmp_path / 'empty.db'}", pooled=False)
    with pytest.raises(ForeignSchema, match="holds no arena"), engine.connect() as connection:
        schema.check(connection)
    engine.dispose()


@pytest.mark.parametrize("words", [*READERS, *PARTS], ids=" ".join)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("revision", "says"), [("0031", TOO_OLD), ("9999", NEWER)])
def test_every_command_refuses_other_releases(arena: Arena, words: list[str], revision: str, says: str) -> None:
    """Commands and parts exit with one sentence."""
    set_revision(arena.settings.database_url, revision)
    environ = {**arena.settings.environ(), "ARENA_BROKER_URL": "redis://127.0.0.1:1/0"}

    result = CliRunner(env=environ).invoke(main, words)

    assert result.exit_code == ExitCode.MISCONFIGURED
    assert says in result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("revision", "says"), [("9999", "Upgrade Suit Arena on this machine"), ("0031", "schema 0032 first: arena migrate")]
)
def test_migration_refuses_database_that_it_cannot_upgrade(arena: Arena, revision: str, says: str) -> None:
    """The sentence says what to do, and nothing changes."""
    set_revision(arena.settings.database_url, revision)

    with pytest.raises(ForeignSchema, match=says):
        migrate.upgrade(arena.settings.database_url)

    with arena.reading() as session:
        assert schema.revision(session.connection()) == revision


def test_commands_that_open_the_database_do_not_import_alembic(tmp_path: Path) -> None:
    """Alembic costs time and memory; only `arena migrate` and `arena up` need it."""
    url = factories.settings_in(tmp_path).database_url
    migrate.upgrade(url)
    code = """
import sys
from arena.cli import main
try:
    main(["tournament", "list"])
except SystemExit:
    print("alembic" in sys.modules)
"""
    environ = factories.settings_in(tmp_path).environ()

    listed = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)

    assert listed.stdout.splitlines()[-1] == "False", listed.stdout
