"""Supervise two small parts in FOLDER and print events: ``python -m tests.cli.supervised FOLDER [CODE]``.

Each part starts a grandchild in its own session, as caged bots are. The second part runs CODE when it starts.
"""

import os
import sys
from pathlib import Path

from arena.cli.supervisor import Part, PartFailed, Supervisor

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
    before = lambda: ready.unlink(missing_ok=True)  # noqa: E731
    return Part(name, command, folder / f"{name}.log", ready.exists, dict(os.environ), folder, before)


def main(folder: Path, code: str) -> None:
    """Supervise until a signal to stop."""

    def say(text: str) -> None:
        print(text, flush=True)

    try:
        with Supervisor(say) as supervisor:
            for each in (part(folder, "one"), part(folder, "two", code)):
                pid = supervisor.start(each)
                supervisor.wait_ready(each)
                say(f"{each.name} {pid}")
            say("watching")
            supervisor.watch()
    except PartFailed as error:
        say(f"failed: {error}")
    say("stopped")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
