"""Priority of bots."""

import os
import subprocess
import sys
from pathlib import Path

from arena.sandbox.inside import libc

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


def is_privileged() -> bool:
    """Return whether this process has the capability CAP_SYS_ADMIN, and not only in a namespace."""
    namespace = Path("/proc/self/uid_map").read_text().split()
    return namespace == ["0", "0", "4294967295"] and bool(libc.effective_capabilities() >> 21 & 1)


def test_bots_have_the_priority_of_their_engine() -> None:
    """A bot's process has the niceness of the process that plays, and so has its session if it may be set."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    lower = min(19, own + 3)

    assert priority()[0] == own
    niceness, session = priority("nice", "-n", "3")
    assert niceness == lower
    if session and is_privileged():  # others may change ten sessions per second only
        assert int(session) == lower
