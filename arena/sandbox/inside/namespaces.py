"""Namespaces of their own for the zygote and all its children: no network, no System V objects, no host name, and no
process to be seen but each other.
"""

import os
import signal
from collections.abc import Collection
from typing import Final, NoReturn

from . import libc

_SETS_IDS: Final = 1 << 6 | 1 << 7
"""CAP_SETGID and CAP_SETUID."""

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
    if found.get("uts") == "":
        libc.set_host_name("cage")
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
    """By way of a user namespace in which ids stay what they are. Raises OSError.

    Who may give bots uids of their own must not lose that: then all ids are mapped, which takes a process outside.
    """
    pid = os.getpid()
    begun, begin = os.pipe()
    mapper = os.fork()
    if mapper == 0:
        os.close(begin)
        _map_ids(pid, begun)
    try:
        libc.unshare(libc.CLONE_NEWUSER | sum(wanted.values()))
    finally:
        os.close(begin)
        os.close(begun)
        status = os.waitpid(mapper, 0)[1]
    if status:
        raise OSError(0, "user ids could not be mapped")


def _map_ids(pid: int, begun: int) -> NoReturn:
    status = 1
    try:
        os.read(begun, 1)  # returns when that process is inside
        capable = libc.effective_capabilities() & _SETS_IDS == _SETS_IDS
        if not capable:
            libc.write(f"/proc/{pid}/setgroups", "deny")
        for kind, own in (("uid_map", os.geteuid()), ("gid_map", os.getegid())):
            libc.write(f"/proc/{pid}/{kind}", _all_ids(kind, own) if capable else f"{own} {own} 1")
        status = 0
    finally:
        os._exit(status)


def _all_ids(kind: str, own: int) -> str:
    """All ids that there are here; that of root, which takes one more capability, only for root."""
    lowest = 1 if own else 0
    ranges = [
        (int(first), int(count)) for first, _, count in map(str.split, libc.read(f"/proc/self/{kind}").splitlines())
    ]
    kept = [(max(first, lowest), first + count) for first, count in ranges if first + count > lowest]
    return "".join(f"{first} {first} {end - first}\n" for first, end in kept)


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
