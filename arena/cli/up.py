"""``arena up``: the whole arena on this machine, until Ctrl-C."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TextIO

import click
from rich.console import Console
from rich.text import Text

from arena.cli import parts
from arena.cli.migrate import furnish, prepare
from arena.cli.ports import require_free
from arena.cli.supervisor import Part, Stopped, Supervisor
from arena.games.errors import ArenaError
from arena.settings import Settings, unknown
from workers.bell import celery_bell


@click.command()
def up() -> None:
    """Start the whole arena on this machine; Ctrl-C stops it.

    Database, broker, workers, clock and web server, as the ARENA_ variables say. On the first start an administrator's
    account is made, house bots are entered, and a first tournament is played.
    """
    settings = for_this_user(Settings.from_env())
    screen = Screen()
    for stranger in unknown(os.environ):
        screen.note(stranger)
    with ExitStack() as stack:
        stack.enter_context(only_one(settings))
        require_free(settings.host, settings.port)
        screen.title(settings)
        screen.part("cage", "ready", None, parts.require_cage(settings))
        if warning := parts.warning(settings):
            screen.warn(warning)
        rotate(settings.logs)
        password = prepare(settings)
        screen.part("database", "ready", None, settings.database_url.partition(":")[0])
        if password:  # at once: whatever happens next, it is not shown again
            screen.password(password)
        run(stack, settings, screen)


class Screen:
    """What the operator sees: one line per part, then what happens to them."""

    def __init__(self) -> None:
        self.console = Console(highlight=False, soft_wrap=True)

    def title(self, settings: Settings) -> None:
        """The first line."""
        self.console.print(Text.assemble(("Suit Arena ", "bold"), version("suit-arena"), f"  data in {settings.home}"))

    def part(self, name: str, state: str, pid: int | None, what: str) -> None:
        """One part and what it is."""
        number = f"pid {pid}" if pid else ""
        self.console.print(Text.assemble(f"  {name:<9} ", (f"{state:<6}", "green"), f" {number:<12} {what}"))

    def note(self, sentence: str) -> None:
        """Something that the operator should know."""
        self.console.print(Text(sentence, "yellow"))

    def warn(self, sentence: str) -> None:
        """Something that the operator must not overlook."""
        self.console.print(Text(sentence, "bold red"))

    def password(self, password: str) -> None:
        """The administrator's password: it is shown this once and kept nowhere."""
        line = ("  admin     made    log in as admin with the password ", (password, "bold"), " (shown this once)")
        self.console.print(Text.assemble(*line))

    def address(self, settings: Settings) -> None:
        """The last line of a start."""
        host = parts.reachable(settings.host)
        url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
        self.console.print(Text.assemble("\n  Open ", (url, "bold cyan"), "   Ctrl-C stops everything.\n"))


def for_this_user(settings: Settings) -> Settings:
    """Without root bots get no uid of their own: then one of the two layers must do, unless the operator said which."""
    if os.geteuid() == 0 or os.environ.get("ARENA_SANDBOX_MINIMUM", "").strip():
        return settings
    click.echo("Not started as root: bots are caged without a uid of their own (ARENA_SANDBOX_MINIMUM=one).")
    return replace(settings, sandbox_minimum="one")


@contextmanager
def only_one(settings: Settings) -> Iterator[None]:
    """Holds the home folder for this process. Raises ArenaError where another arena runs on it."""
    with _lock_file(settings.home) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            who = file.read().strip() or "another process"
            raise ArenaError(f"An arena is already running on {settings.home}: {who}") from None
        file.truncate(0)
        file.write(f"process {os.getpid()}, http://{parts.reachable(settings.host)}:{settings.port}\n")
        file.flush()
        yield


def _lock_file(home: Path) -> TextIO:
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        return (home / "up.lock").open("a+")
    except OSError as error:
        raise ArenaError(f"The folder {home} (ARENA_HOME) cannot be written to: {error.strerror}") from None


def rotate(logs: Path) -> None:
    """Put the logs of the last run aside; those of the run before go."""
    for log in logs.glob("*.log"):
        log.replace(log.with_suffix(".log.1"))


def run(stack: ExitStack, settings: Settings, screen: Screen) -> None:
    """Start every part, say so, and keep them running until told to stop."""
    socket = stack.enter_context(parts.broker_socket(settings.home))
    with Supervisor(screen.note) as supervisor:
        try:
            settings = start_broker(supervisor, settings, socket, screen)
            start_others(supervisor, settings, screen)
            screen.address(settings)
            supervisor.watch()
        except Stopped:
            pass
        finally:
            screen.console.print("Stopping …")
    screen.console.print("Stopped.")


def start_broker(supervisor: Supervisor, settings: Settings, socket: Path, screen: Screen) -> Settings:
    """Start a broker, or check that the operator's answers. The settings with its URL."""
    if settings.broker_url:
        if not parts.answers(settings.broker_url):
            raise ArenaError(
                "No broker answers at ARENA_BROKER_URL. Start it, or unset the variable to have one started."
            )
        screen.part("broker", "ready", None, "yours (ARENA_BROKER_URL)")
        return settings
    part = parts.broker(settings, socket)
    pid = supervisor.start(part)
    supervisor.wait_ready(part)
    screen.part("broker", "ready", pid, f"{Path(part.command[0]).name} on a private socket")
    return replace(settings, broker_url=f"redis+socket://{socket}")


def start_others(supervisor: Supervisor, settings: Settings, screen: Screen) -> None:
    """Start workers, clock and web server side by side; while they start, furnish."""
    count = f"{settings.workers} process{'es' if settings.workers > 1 else ''}, one table each"
    wanted: list[tuple[Part, str]] = [
        (parts.workers(settings), count),
        (parts.beat(settings), "rings for what waits"),
        (parts.web(settings), f"listens on {settings.host}, port {settings.port}"),
    ]
    pids = [supervisor.start(part) for part, _ in wanted]
    furnish(settings, celery_bell(settings))
    for (part, what), pid in zip(wanted, pids, strict=True):
        supervisor.wait_ready(part)
        screen.part(part.name, "ready", pid, what)
