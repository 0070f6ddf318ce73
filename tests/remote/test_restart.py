"""The arena is killed and started again in the middle of ``arena upload``."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shutil import copy
from threading import Thread

import pytest
from sqlalchemy import func, select

from arena.db.models import Version
from arena.services.base.context import open_arena
from arena.services.people import keys
from tests import factories
from tests.cli.processes import until
from tests.cli.test_up import environ_of, free_port


class Relay:
    """A web server behind a relay, which kills it in the middle of the first POST and starts it again."""

    def __init__(self, home: Path, answered: bool) -> None:
        self.home, self.answered = home, answered
        self.port = free_port()
        self.kills = 0
        self.posting = False
        self.process = self._start()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        until(self._connect, "the server listens", 120)
        Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """End the server and the relay."""
        self.listener.close()
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        environ = environ_of(self.home, self.port)
        return subprocess.Popen([sys.executable, "-m", "web"], env=environ, start_new_session=True)

    def _connect(self) -> socket.socket | None:
        with suppress(OSError):
            return socket.create_connection(("127.0.0.1", self.port), 60)
        return None

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                with client, suppress(OSError):
                    self._relay(client)

    def _relay(self, client: socket.socket) -> None:
        """Pass on requests and answers of one connection, in turn."""
        server = self._connect()
        if server is None:
            return
        with server:
            Thread(target=self._answer, args=(server, client), daemon=True).start()
            while data := client.recv(2**16):
                self.posting = data.startswith(b"POST") or self.posting
                server.sendall(data)
                if self.posting and not self.answered and not self.kills:
                    self._kill()  # the body has not arrived yet
                    break

    def _answer(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(2**16):
                if self.posting and self.answered and not self.kills:
                    self._kill()
                    break
                client.sendall(data)
            client.shutdown(socket.SHUT_RDWR)

    def _kill(self) -> None:
        self.kills += 1
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = self._start()


@pytest.fixture(params=[False, True], ids=["before the body arrived", "before the answer arrived"])
def relay(request: pytest.FixtureRequest, tmp_path: Path, sqlite_template: Path) -> Iterator[Relay]:
    """A server that is killed during the first upload."""
    copy(sqlite_template, tmp_path / "arena.db")
    made = Relay(tmp_path, request.param)
    yield made
    made.close()


def test_upload_survives_a_restart_of_the_arena(relay: Relay, tmp_path: Path) -> None:
    """The client sends the same request again, and there is one version."""
    arena = open_arena(factories.settings_in(tmp_path))
    token = keys.make(arena, factories.user(arena, "ada"), "test", [keys.Scope.UPLOAD])
    file = tmp_path / "ducker.py"
    file.write_bytes(factories.FIRST)
    environ = {**os.environ, "ARENA_TOKEN": token, "ARENA_URL": relay.url, "XDG_CONFIG_HOME": str(tmp_path)}

    command = [sys.executable, "-m", "arena", "upload", str(file), "--no-wait"]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=300)

    assert done.returncode == 0, done.stderr
    assert relay.kills == 1
    assert "Next attempt in" in done.stderr
    with arena.reading() as session:
        assert session.scalar(select(func.count(Version.id))) == 1
    arena.close()
