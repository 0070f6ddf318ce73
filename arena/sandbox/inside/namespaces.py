"""Namespaces of their own for the zygote and all its children: no network, no System V objects, no host name, and no
process to be seen but each other.
"""

import os
import signal
from collections.abc import Collection
from typing import Final

from . import libc

KINDS: Final = {
    "network": libc.CLONE_NEWNET,
    "ipc": libc.CLONE_NEWIPC,
    "uts": libc.CLONE_NEWUTS,
    "pid": libc.CLONE_NEWPID,
}


def enter(without: Collection[str] = ()) -> dict[str, str]:
    """Enter what this host allows: by name, why a namespace could not be had, or an empty text.

    Returns in the process that is inside, which for the sake of `pid` is another one than before (see `_go_inside`).
    """
    wanted = {name: flag for name, flag in KINDS.items() if name not in without}
    found = {name: _try(flag) for name, flag in wanted.items()}
    if any(found.values()) and _user_namespace_works(wanted):
        _enter_as_user(wanted)
        found = dict.fromkeys(wanted, "")
    if found.get("pid") == "":
        _go_inside()
    return found


def _try(flag: int) -> str:
    try:
        libc.unshare(flag)
    except OSError as error:
        return os.strerror(error.errno or 0)
    return ""


def _enter_as_user(wanted: dict[str, int]) -> None:
    """As an ordinary user, by way of a user namespace in which our ids stay what they are."""
    uid, gid = os.geteuid(), os.getegid()
    libc.unshare(libc.CLONE_NEWUSER | sum(wanted.values()))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        libc.write(f"/proc/self/{name}", text)


def _user_namespace_works(wanted: dict[str, int]) -> bool:
    """Tried in a child: half of it would spoil this process."""
    pid = os.fork()
    if pid == 0:
        try:
            _enter_as_user(wanted)
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1] == 0


def _go_inside() -> None:
    """Go on as the first process of the new process namespace: a process itself never changes its own.

    The one outside only waits for it. With it everything inside ends, by the kernel's own rule.
    """
    pid = os.fork()
    if pid:
        os.closerange(0, os.sysconf("SC_OPEN_MAX"))
        os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
