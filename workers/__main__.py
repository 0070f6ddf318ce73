"""Celery as the arena runs it: ``python -m workers worker``, or ``beat``.

Celery's own command line imports all of its subcommands, and knows nothing of the arena's exit codes.
"""

import socket
import sys
from collections.abc import Callable
from multiprocessing import get_context
from typing import Any

import click

from arena.exits import worded
from arena.settings import Settings


@click.group()
def main() -> None:
    """Run a part of the arena."""
    Settings.from_env()  # refuses an invalid setting before everything is imported


@main.command()
@click.option("--clock", is_flag=True, help="Ring for the sweep as well, instead of a beat.")
def worker(clock: bool) -> None:
    """Run the workers of this machine."""
    from celery import signals

    from arena.sandbox.inside import priority
    from workers.app import SETTINGS, app
    from workers.clock import Clock
    from workers.config import NODE

    _require_release(SETTINGS)
    priority.lower()

    def ready(**_: Any) -> None:
        SETTINGS.workers_ready.touch()

    signals.worker_ready.connect(ready, weak=False)
    if clock:
        app.steps["consumer"].add(Clock)
    node = NODE.format(host=socket.gethostname())
    run = app.Worker(
        hostname=node, concurrency=SETTINGS.workers, loglevel=SETTINGS.log_level, without_mingle=True, quiet=True
    )
    run.start()
    sys.exit(run.exitcode)


def _require_release(settings: Settings) -> None:
    """End this process if the database is of another release. Asked in a process that ends: it takes 15 MiB."""
    from workers.guard import require_release

    check = get_context("fork").Process(target=_worded, args=(require_release, settings))
    check.start()
    check.join()
    if check.exitcode:
        sys.exit(check.exitcode)


def _worded(check: Callable[[Settings], None], settings: Settings) -> None:
    with worded():
        check(settings)


@main.command()
def live() -> None:
    """Run the host of live tables."""
    from workers.live import run

    settings = Settings.from_env()
    _require_release(settings)
    run(settings)


@main.command()
def beat() -> None:
    """Run the clock."""
    from workers.app import SETTINGS, app

    app.Beat(loglevel=SETTINGS.log_level, quiet=True).run()


if __name__ == "__main__":
    with worded():
        main()
