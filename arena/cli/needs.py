"""Requirements on a machine before parts of the arena start."""

import os
import resource
from dataclasses import replace
from multiprocessing import get_context
from typing import Final

from arena.games.errors import ArenaError
from arena.settings import Settings

NEEDED: Final = 256
"""Open files of one process: sockets, databases, and the seats of a cage. Most need fewer than 100."""


def require_descriptors() -> None:
    """Raise the limit of open files to `NEEDED` if it is lower. Raises `ArenaError` if that is not allowed."""
    try:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    except OSError:
        return  # unknown: the cage, which needs the same call, says why it cannot run
    if soft != resource.RLIM_INFINITY and soft < NEEDED:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (NEEDED, hard))
        except (ValueError, OSError):
            raise ArenaError(
                f"Only {soft} files may be open, and {NEEDED} are needed. Raise the limit: ulimit -n 1024 "
                "(systemd: LimitNOFILE=1024, Docker: --ulimit nofile=1024)"
            ) from None


def require_shared_memory() -> None:
    """Raise `ArenaError` if this machine has no shared memory, in which worker processes keep their locks."""
    try:
        get_context("fork").Lock()
    except OSError as error:
        raise ArenaError(
            f"Workers need shared memory, and /dev/shm cannot be used: {error.strerror}. "
            "Mount it: mount -t tmpfs tmpfs /dev/shm"
        ) from None


def for_this_user(settings: Settings) -> Settings:
    """Return the settings with the sandbox minimum of `arena up`, which depends on its user.

    Without root it is one of Landlock and a distinct uid instead of both, unless the operator chose a minimum.
    """
    if os.geteuid() == 0 or os.environ.get("ARENA_SANDBOX_MINIMUM", "").strip():
        return settings
    return replace(settings, sandbox_minimum="one")
