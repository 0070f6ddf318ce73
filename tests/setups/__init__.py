"""Set-ups in which the cage must hold: an ordinary user, and root or a user in a container like Docker's.

The fourth set-up, root on a host, needs no preparation. Command line: `python -m tests.setups container-root id`.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.setups.container import missing, run_in_container
from tests.setups.docker import IMAGE_UID
from tests.setups.user import as_user

__all__ = ["LITTLE", "SETUPS", "Done", "as_user", "lacking", "run"]

Done = subprocess.CompletedProcess[str]


def run(setup: str, command: Sequence[str], environment: Mapping[str, str], timeout: float = 600) -> Done:
    """Run a command in the named set-up (see SETUPS), with output and errors as one text.

    The command sees this Python and this checkout, runs in the checkout, and has little more than `environment`.
    Requires root; see `lacking`.
    """
    return SETUPS[setup](command, {**LITTLE, **environment}, timeout)


def lacking(setup: str) -> str:
    """Return the reason why this set-up is not available here; empty if it is."""
    if os.geteuid() != 0:
        return "needs root"
    return missing() if setup.startswith("container") else ""


def _as_user(command: Sequence[str], environment: dict[str, str], timeout: float) -> Done:
    return subprocess.run(
        as_user(command),
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
    )


SETUPS: Final[dict[str, Callable[[Sequence[str], dict[str, str], float], Done]]] = {
    "host-user": _as_user,
    "container-root": lambda command, environment, timeout: run_in_container(command, environment, 0, timeout),
    "container-user": lambda command, environment, timeout: run_in_container(command, environment, IMAGE_UID, timeout),
}
"""Set-ups by name.

They are: uid 1000 on the host; root with Docker's fourteen capabilities in a container with Docker's default seccomp
profile; and the user of the image in such a container without capabilities and with no-new-privileges.
"""

LITTLE: Final = {
    "PATH": f"{Path(sys.executable).parent}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/tmp",  # noqa: S108 - the one place that every set-up can write to
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
}
