"""Commands that run alone, in a home folder that does not exist yet."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import COMMANDS, main, parts
from arena.cli.processes import Part
from arena.settings import SETTINGS, Settings
from tests.cli.test_up import free_port
from tests.workers.services import Broker, wait_for

SERVICES: dict[str, Callable[[Settings], Part]] = {"worker": parts.workers, "beat": parts.beat, "web": parts.web}
BROUGHT_UP = {"up", *SERVICES}


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    """A broker for services that run alone."""
    with tempfile.TemporaryDirectory(prefix="arena-", dir="/tmp") as folder:
        broker = Broker(Path(folder))
        yield broker
        broker.close()


def variables(home: Path, **more: str) -> dict[str, str]:
    """Return an environment with only these settings."""
    names = {setting.name for setting in SETTINGS}
    others = {name: value for name, value in os.environ.items() if name not in names}
    return {**others, "ARENA_HOME": str(home), **more}


@pytest.mark.service
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", SERVICES)
def test_service_starts_alone(tmp_path: Path, broker: Broker, database_url: str, name: str) -> None:
    """Folders that it needs are created, private to the user, and it becomes ready."""
    home = tmp_path / "new" / "home"
    own = {"ARENA_BROKER_URL": broker.url, "ARENA_PORT": str(free_port()), "ARENA_WORKERS": "1"}
    environ = variables(home, ARENA_SANDBOX_MINIMUM="one", ARENA_DATABASE_URL=database_url, **own)
    ready = SERVICES[name](Settings.from_env(environ)).ready
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "arena", name], env=environ, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        wait_for(lambda: process.poll() is not None or ready())

        assert process.poll() is None, (tmp_path / "log").read_text()
        assert home.stat().st_mode & 0o077 == 0
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in BROUGHT_UP])
def test_missing_requirement_is_explained(tmp_path: Path, name: str) -> None:
    """The command exits with a status and one sentence, even if the home has no database."""
    result = CliRunner().invoke(main, [name], env={"ARENA_HOME": str(tmp_path / "home")})

    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception


@pytest.mark.parametrize("name", SERVICES)
def test_uncreatable_home_is_one_line(tmp_path: Path, name: str) -> None:
    """The message names the setting."""
    (tmp_path / "file").touch()
    own = {"ARENA_BROKER_URL": "redis://127.0.0.1:1/0", "ARENA_SANDBOX_MINIMUM": "one"}
    result = CliRunner().invoke(main, [name], env=variables(tmp_path / "file" / "home", **own))

    assert f"The folder {tmp_path}/file/home (ARENA_HOME) is not writable: Not a directory" in result.output
