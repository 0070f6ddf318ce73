"""Priority of bots."""

import os
import subprocess
import sys

PROGRAM = """
import os
from pathlib import Path
from arena.sandbox import Cage

with Cage("one") as cage:
    player = cage.player(b"def act(view): return view.legal[0]")
    player.ready()
    session = Path(f"/proc/{player.pid}/autogroup")
    print(os.getpriority(os.PRIO_PROCESS, player.pid), session.read_text() if session.exists() else "")
    player.close()
"""


def priority(*command: str) -> tuple[int, str]:
    """Return the niceness of a bot whose engine is started with a command, and how Linux describes its session's."""
    done = subprocess.run([*command, sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    niceness, _, session = done.stdout.strip().partition(" ")
    return int(niceness), session.rpartition("nice ")[2]


def test_bots_have_the_priority_of_their_engine() -> None:
    """A bot's process has the niceness of the process that plays, and so has its session if it may be set."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    lower = min(19, own + 3)

    assert priority()[0] == own
    niceness, session = priority("nice", "-n", "3")
    assert niceness == lower
    if session and os.geteuid() == 0:  # an ordinary user may change ten sessions per second only
        assert int(session) == lower
