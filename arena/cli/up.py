"""``arena up``: run the whole arena on this machine until Ctrl-C."""

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click
from rich.console import Console
from rich.text import Text

from arena.cli import demo, parts, preload, steps
from arena.cli.needs import for_this_user, require_descriptors, require_shared_memory
from arena.cli.ports import require_free
from arena.cli.processes import Part
from arena.cli.supervisor import Stopped, Supervisor
from arena.games.errors import ArenaError
from arena.release import release
from arena.services.base.outages import Outage, write
from arena.settings import Settings, unknown

if TYPE_CHECKING:
    from arena.cli.lines import Lines


@click.command()
@click.option("--demo", "as_demo", is_flag=True, help="Start a demo, which is deleted each night.")
def up(as_demo: bool) -> None:
    """Start the whole arena on this machine; Ctrl-C stops it.

    Runs database, broker, workers, clock and web server as the ARENA_ variables say. The first start creates an
    administrator's account, enters the house bots, and starts a first tournament.

    In a demo, every visitor becomes an organiser with one click, and nothing is sent outside. Its data is in
    `.arena-demo` unless ARENA_HOME is set, and is deleted at every start and at 00:00 UTC.
    """
    if as_demo:
        os.environ["ARENA_DEMO"] = "yes"
    require_descriptors()
    require_shared_memory()
    given = Settings.from_env()
    settings = for_this_user(given)
    screen = Screen(settings)
    if settings != given:
        screen.note("Not started as root: bots are caged without distinct uids (ARENA_SANDBOX_MINIMUM=one).")
    for notice in unknown(os.environ):
        screen.note(notice)
    while not start(settings, screen):
        screen.note("A new day: the demo begins anew.")
    screen.console.print("Stopped.")


def start(settings: Settings, screen: "Screen") -> bool:
    """Run the arena until a signal to stop, or until a demo's day is over. Returns whether there was a signal."""
    with ExitStack() as stack:
        stack.enter_context(only_one(settings))
        require_free(settings.host, settings.port)
        demo.clear(settings)
        screen.title(settings)
        steps.require_servers(settings)  # first, because proving the cage takes seconds
        cage = steps.examine_cage(settings, preload.libraries)
        screen.part("cage", None, cage.line)
        for sentence in cage.refused:
            screen.note(sentence)
        if cage.warning:
            screen.warn(cage.warning)
        rotate(settings.logs)
        password = steps.prepare(settings, screen.note)
        screen.part("database", None, settings.database_url.partition(":")[0])
        if password:  # now, because it is never shown again
            screen.password(password)
        return run(stack, settings, screen)


class Screen:
    """The operator's console output: one line per part, then events."""

    def __init__(self, settings: Settings) -> None:
        self.console = _console(settings)

    def title(self, settings: Settings) -> None:
        """Print the first line."""
        self.console.print(Text.assemble(("Suit Arena ", "bold"), release(), f"  data in {settings.home}"))

    def part(self, name: str, pid: int | None, what: str) -> None:
        """Print a line about a part."""
        number = f"pid {pid}" if pid else ""
        self.console.print(Text.assemble(f"  {name:<9} ", ("ready ", "green"), f" {number:<12} {what}"))

    def note(self, sentence: str) -> None:
        """Print a sentence for the operator's information. A full disk behind stdout must not stop the arena."""
        with suppress(OSError):
            self.console.print(Text(sentence, "yellow"))

    def warn(self, sentence: str) -> None:
        """Print a sentence that the operator must not overlook."""
        self.console.print(Text(sentence, "bold red"))

    def password(self, password: str) -> None:
        """Print the administrator's password, which is shown only once and stored nowhere."""
        line = ("  admin     made    log in as admin with the password ", (password, "bold"), " (shown this once)")
        self.console.print(Text.assemble(*line))

    def address(self, settings: Settings) -> None:
        """Print the last line of a start."""
        host = parts.reachable(settings.host)
        url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
        self.console.print(Text.assemble("\n  Open ", (url, "bold cyan"), "   Ctrl-C stops everything.\n"))


def _console(settings: Settings) -> "Console | Lines":
    if settings.log_format == "text":
        return Console(highlight=False, soft_wrap=True)
    from arena.cli.lines import Lines  # structlog would take a third of this process's memory

    return Lines(settings)


@contextmanager
def only_one(settings: Settings) -> Iterator[None]:
    """Lock the home folder for this process. Raises `ArenaError` if another arena runs on it."""
    with _lock_file(settings.home) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise ArenaError(f"An arena is already running on {settings.home}: {holder}") from None
        file.truncate(0)
        file.write(f"process {os.getpid()}, http://{parts.reachable(settings.host)}:{settings.port}\n")
        file.flush()
        yield


def _lock_file(home: Path) -> TextIO:
    try:
        return (parts.make_folder(home) / "up.lock").open("a+")
    except OSError as error:
        raise ArenaError(f"The folder {home} (ARENA_HOME) is not writable: {error.strerror}") from None


def rotate(logs: Path) -> None:
    """Keep the logs of the last run and delete those of the run before."""
    for log in logs.glob("*.log"):
        log.replace(log.with_suffix(".log.1"))


def run(stack: ExitStack, settings: Settings, screen: Screen) -> bool:
    """Start every part and keep all running. Returns whether a signal to stop has ended them."""
    socket = stack.enter_context(parts.broker_socket(settings))
    with Supervisor(screen.note, partial(publish, settings)) as supervisor:
        try:
            settings = start_broker(supervisor, settings, socket, screen)
            start_others(supervisor, settings, screen)
            screen.address(settings)
            supervisor.watch(demo.seconds_left(datetime.now(UTC)) if settings.demo else None)
        except Stopped:
            pass
        finally:
            screen.console.print("Stopping …")
    return supervisor.stopped  # perhaps while the parts of a demo end at midnight


def publish(settings: Settings, outages: Sequence[Outage]) -> None:
    """Show outages on the web pages. A full disk is no reason to stop the parts that work."""
    with suppress(OSError):
        write(settings.run, outages)


def start_broker(supervisor: Supervisor, settings: Settings, socket: Path, screen: Screen) -> Settings:
    """Start a broker unless the operator has one. Returns the settings with its URL."""
    if settings.broker_url:
        screen.part("broker", None, "yours (ARENA_BROKER_URL)")
        return settings
    part = parts.broker(settings, socket)
    pid = supervisor.start(part)
    supervisor.wait_ready(part)
    screen.part("broker", pid, f"{Path(part.command[0]).name} on a private socket")
    return replace(settings, broker_url=f"redis+socket://{socket}")


def start_others(supervisor: Supervisor, settings: Settings, screen: Screen) -> None:
    """Start workers and web server together, and prepare house bots and the first tournament meanwhile."""
    count = f"{settings.workers} process{'es' if settings.workers > 1 else ''}, one table each, and the clock"
    wanted: list[tuple[Part, str]] = [
        (replace(parts.workers(settings, clock=True), preloaded=True), count),
        (replace(parts.live(settings), preloaded=True), f"{settings.live_tables} tables of people at most"),
        (replace(parts.web(settings), preloaded=True), f"listens on {settings.host}, port {settings.port}"),
    ]
    preload.programs([part for part, _ in wanted])
    pids = [supervisor.start(part) for part, _ in wanted]
    steps.furnish(settings)
    for (part, what), pid in zip(wanted, pids, strict=True):
        supervisor.wait_ready(part)
        screen.part(part.name, pid, what)
