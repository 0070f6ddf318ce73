"""Supervise two small parts in FOLDER and print events: ``python -m tests.cli.supervised FOLDER [CODE]``.

Each part starts a grandchild in its own session, as caged bots are. The second part runs CODE when it starts. A part
cannot be started while a file with its name and the suffix `.full` exists.
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

PART = """
import subprocess, sys, time
from pathlib import Path
exec(sys.argv[2])
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"], start_new_session=True)
print("at work", flush=True)
Path(sys.argv[1]).touch()
time.sleep(120)
"""


def part(folder: Path, name: str, code: str = "") -> Part:
    """Return a part that is ready when its file exists, and that deletes the file at every start."""
    ready = folder / f"{name}.ready"
    command = [sys.executable, "-c", PART, str(ready), code]

    def before() -> None:
        ready.unlink(missing_ok=True)
        if ready.with_suffix(".full").exists():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return Part(name, command, folder / f"{name}.log", ready.exists, dict(os.environ), folder, before)


def main(folder: Path, code: str) -> None:
    """Supervise until a signal to stop."""

    def say(text: str) -> None:
        print(text, flush=True)

    def report(outages: Sequence[Outage]) -> None:
        say(f"outages: {', '.join(f'{outage.part} ({outage.reason})' for outage in outages) or 'none'}")

    try:
        with Supervisor(say, report, PAUSES) as supervisor:
            for each in (part(folder, "one"), part(folder, "two", code)):
                pid = supervisor.start(each)
                supervisor.wait_ready(each)
                say(f"{each.name} {pid}")
            say("watching")
            supervisor.watch()
    except ArenaError as error:
        say(f"failed: {error}")
    say("stopped")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
