"""Supervise two small parts in FOLDER and print events: ``python -m tests.cli.supervised FOLDER [CODE [SECONDS]]``.

Each part starts a grandchild in its own session, as caged bots are. The first is a fork of the supervisor; the second
is a program that runs CODE when it starts. A part cannot be started while a file with its name and the suffix `.full`
exists.
"""

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from arena.cli.processes import Part
from arena.cli.supervisor import Supervisor
from arena.games.errors import ArenaError
from arena.services.base.outages import Outage

PAUSES = (0, 0.2, 0.4)

SMALL = "tests.cli.small_part"


def part(folder: Path, name: str, code: str = "", forked: bool = False) -> Part:
    """Return a part that is ready when its file exists, and that deletes the file at every start."""
    ready = folder / f"{name}.ready"
    start = ["-m", SMALL] if forked else [str(Path(__file__).with_name("small_part.py"))]
    command = [sys.executable, *start, str(ready), code]

    def before() -> None:
        ready.unlink(missing_ok=True)
        if ready.with_suffix(".full").exists():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    log = folder / f"{name}.log"
    return Part(name, command, log, ready.exists, dict(os.environ), folder, before, preloaded=forked)


def main(folder: Path, code: str, seconds: float | None) -> None:
    """Supervise until a signal to stop, or for a time."""

    def say(text: str) -> None:
        print(text, flush=True)

    def report(outages: Sequence[Outage]) -> None:
        say(f"outages: {', '.join(f'{outage.part} ({outage.reason})' for outage in outages) or 'none'}")

    supervisor = Supervisor(say, report, PAUSES)
    try:
        with supervisor:
            for each in (part(folder, "one", forked=True), part(folder, "two", code)):
                pid = supervisor.start(each)
                supervisor.wait_ready(each)
                say(f"{each.name} {pid}")
            say("watching")
            supervisor.watch(seconds)
            say("stopping")
    except ArenaError as error:
        say(f"failed: {error}")
    say("stopped by a signal" if supervisor.stopped else "stopped")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "", float(sys.argv[3]) if len(sys.argv) > 3 else None)
