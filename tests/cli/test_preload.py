"""Imports of the supervisor before it forks workers and web server from itself."""

import json
import subprocess
import sys
from typing import Any

import pytest

from arena.cli import parts
from arena.db import migrate
from tests import factories

PROGRAM = """
import json, os, sys
from importlib.metadata import packages_distributions
from arena.cli import parts, preload
from arena.settings import Settings

settings = Settings.from_env()
opened = set(os.listdir("/proc/self/fd"))
preload.libraries()
preload.programs([parts.workers(settings), parts.web(settings)])
names = {name.partition(".")[0] for name, module in sys.modules.items() if module is not None}
print(json.dumps({
    "packages": sorted(names & packages_distributions().keys() - sys.stdlib_module_names),
    "threads": len(os.listdir("/proc/self/task")),
    "opened": [os.readlink(f"/proc/self/fd/{fd}") for fd in set(os.listdir("/proc/self/fd")) - opened - {"3"}],
    "logged": sys.modules["structlog"].contextvars.get_contextvars(),
}))
"""
ALLOWED = """
    _argon2_cffi_bindings _brotli _cffi_backend _distutils_hack amqp apispec arena argon2 async_timeout babel
    billiard blinker bots brotli celery click cronsim cryptography dateutil deprecated flask flask_limiter flask_wtf
    greenlet gunicorn itsdangerous jinja2 kombu limits markdown_it markupsafe mdurl msgspec ordered_set packaging
    prometheus_client redis rich six sqlalchemy structlog trueskill typing_extensions tzdata tzlocal vine waitress
    web werkzeug workers wrapt wtforms
"""
"""Packages that workers and web server need from their start; async_timeout before Python 3.11.3 only. Others, such as
numpy, alembic, authlib and pygments, are imported by the process that needs them, when it needs them."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Modules and threads of a process that has imported the parts, as `arena up` does."""
    settings = factories.settings_in(tmp_path_factory.mktemp("home"), ARENA_BROKER_URL="redis://127.0.0.1:1/0")
    migrate.upgrade(settings.database_url)
    environ = parts.web(settings).environ
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environ, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_parts_import_only_what_they_need_from_their_start(found: Any) -> None:
    """Each package more takes memory of every arena."""
    assert set(found["packages"]) - {*ALLOWED.split()} == set()


def test_nothing_is_open_before_the_forks(found: Any) -> None:
    """There is no thread, connection or file that two processes would share, and no request that all would log."""
    assert (found["threads"], found["opened"], found["logged"]) == (1, [], {})


def test_optional_modules_can_be_imported_later(found: Any) -> None:
    """Optional modules are hidden during the import only."""
    program = "from arena.cli import preload; preload.libraries(); import pygments, rich.traceback, valkey"

    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stderr == ""
