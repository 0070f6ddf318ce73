"""The arena's services in the compose file, with its commands, users, capabilities, folders and limits."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from tests.docs.test_deployment import ROOT, bytes_of, compose_services
from tests.setups import lacking
from tests.setups.container import prepared
from tests.setups.docker import IMAGE_UID, Container, bind, tmpfs
from tests.workers.services import Broker, wait_for

pytestmark = pytest.mark.service

STAY_UP: Final = ("web", "worker", "live", "beat")
SOCKETS: Final = Path("/sockets")
HOSTNAME: Final = "arena"


def image() -> dict[str, str]:
    """Return the variables that the last stage of the Dockerfile sets, with this environment's folder of programs."""
    last = (ROOT / "Dockerfile").read_text().rpartition("FROM")[2]
    pairs = re.findall(r"(\w+)=(\S+)", re.search(r"^ENV (.*)$", last, re.MULTILINE)[1])  # type: ignore[index]
    return dict(pairs) | {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOSTNAME": HOSTNAME, "HOME": "/data"}


def container(service: dict[str, Any], database: Path, broker: Path) -> Container:
    """Return the container that Docker makes of a service; it reaches PostgreSQL and Redis by mounted sockets."""
    urls = {
        "ARENA_DATABASE_URL": f"postgresql://postgres:@/compose?host={SOCKETS}",
        "ARENA_BROKER_URL": f"redis+socket://{SOCKETS / broker.name}",
    }
    assert list(service["cap_drop"]) == ["ALL"]
    return Container(
        uid=0 if service.get("user") == "root" else IMAGE_UID,
        capabilities=[f"CAP_{name}" for name in service.get("cap_add", ())],
        no_new_privileges=True,
        environment={**image(), **{name: str(value) for name, value in service["environment"].items()}, **urls},
        mounts=[
            *(tmpfs(given) for given in service["tmpfs"]),
            *(bind(socket, SOCKETS / socket.name) for socket in (database, broker)),
        ],
        folder=Path("/data"),
        resources={
            "memory": {"limit": bytes_of(service["mem_limit"])},
            "pids": {"limit": int(service["pids_limit"])},
        },
    )


class Composed:
    """Runs services of the compose file on a test's database and broker."""

    def __init__(self, services: dict[str, Any], database: Path, broker: Path, logs: Path) -> None:
        self.services, self.database, self.broker, self.logs = services, database, broker, logs
        # A base image may make homes with mode 0700; a tmpfs has the mode of what it covers.
        self.home = 0o700

    @contextmanager
    def started(self, name: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
        """Start a service; yield its process and the name of its container."""
        service = self.services[name]
        made = prepared(service["command"], container(service, self.database, self.broker), {"/data": self.home})
        with made as (command, id), self.log(name).open("wb") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            try:
                yield process, id
            finally:
                subprocess.run(["runc", "kill", "--all", id, "KILL"], capture_output=True)
                process.wait(30)

    def log(self, name: str) -> Path:
        """Return the file with a service's output."""
        return self.logs / f"{name}.log"

    def healthy(self, name: str, id: str) -> bool:
        """Return whether a service's health check passes in its container."""
        test = self.services[name]["healthcheck"]["test"]  # a text is for a shell; compose halves its dollars
        command = ["/bin/sh", "-c", test.replace("$$", "$")] if isinstance(test, str) else test[1:]
        return subprocess.run(["runc", "exec", id, *command], capture_output=True).returncode == 0


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Path]:
    """Start a broker and yield its socket, which every user may open."""
    with tempfile.TemporaryDirectory(prefix="arena-", dir="/tmp") as folder:  # a socket's name must be short
        running = Broker(Path(folder))
        Path(folder, "valkey.sock").chmod(0o777)
        yield Path(folder, "valkey.sock")
        running.close()


@pytest.fixture
def composed(postgres: str, broker: Path, tmp_path: Path) -> Iterator[Composed]:
    """Yield services on an empty database."""
    if why := lacking("container-root"):
        pytest.skip(why)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE DATABASE compose")
        folder = connection.execute("SHOW unix_socket_directories").fetchone()
        assert folder
        yield Composed(compose_services(), Path(folder[0], ".s.PGSQL.5432"), broker, tmp_path)
        connection.execute("DROP DATABASE compose WITH (FORCE)")


def test_services_start_and_play(composed: Composed, postgres: str) -> None:
    """The migration succeeds, the other services pass their health checks, and the first tables are played."""
    start_and_play(composed, postgres, "both")


def start_and_play(composed: Composed, postgres: str, level: str) -> None:
    """Run all services until a table was played in a cage of this level."""
    with composed.started("migrate") as (process, _):
        process.wait(60)
    assert process.returncode == 0, composed.log("migrate").read_text()
    assert "Log in as admin with the password" in composed.log("migrate").read_text()

    with ExitStack() as stack:
        running = {name: stack.enter_context(composed.started(name)) for name in STAY_UP}
        for name, (process, id) in running.items():
            wait_for(lambda: process.poll() is not None or composed.healthy(name, id))  # noqa: B023 -- called at once
            assert process.poll() is None, composed.log(name).read_text()
        wait_for(lambda: played(postgres.replace("/postgres?", "/compose?"), level))


def played(database: str, level: str) -> bool:
    """Return whether a table was played in a cage of this level."""
    with psycopg.connect(database) as connection:
        return connection.execute("SELECT 1 FROM matches WHERE cage = %s", [level]).fetchone() is not None
