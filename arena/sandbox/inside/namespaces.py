"""Separate namespaces for the zygote and its children: no network, System V objects, host name or other processes."""

import os
import signal
from collections.abc import Callable, Collection
from typing import Final, NoReturn

from . import libc

_SETS_IDS: Final = 1 << 6 | 1 << 7
"""Bit mask of CAP_SETGID and CAP_SETUID."""

KINDS: Final = {
    "network": libc.CLONE_NEWNET,
    "ipc": libc.CLONE_NEWIPC,
    "uts": libc.CLONE_NEWUTS,
    "pid": libc.CLONE_NEWPID,
}


def enter(without: Collection[str] = ()) -> dict[str, str]:
    """Enter the namespaces that this host allows. Return the reason why each failed by name; empty if entered.

    Returns in the process inside, which for `pid` is a new one (see `_enter_pid_namespace`).
    """
    wanted = {name: flag for name, flag in KINDS.items() if name not in without}
    found = {name: _refusal(libc.unshare, flag) for name, flag in wanted.items()}
    if any(found.values()) and _user_namespace_works(wanted):
        _enter_as_user(wanted)
        found = dict.fromkeys(wanted, "")
    if found.get("uts") == "":
        found["uts"] = _refusal(libc.set_host_name, "cage")  # Docker's and Podman's filters may allow only unshare
    if found.get("pid") == "":
        _enter_pid_namespace()
    return found


def _refusal(call: Callable[..., None], argument: int | str) -> str:
    try:
        call(argument)
    except OSError as error:
        return os.strerror(error.errno or 0)
    return ""


def _enter_as_user(wanted: dict[str, int]) -> None:
    """Enter the namespaces through a user namespace that keeps all ids. Raises `OSError`.

    A process that may set uids must keep that ability, so all ids are mapped. This requires a process outside.
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
    """Map all ids of this namespace; include root's only for root, because mapping it takes another capability."""
    lowest = 1 if own else 0
    ranges = [
        (int(first), int(count)) for first, _, count in map(str.split, libc.read(f"/proc/self/{kind}").splitlines())
    ]
    kept = [(max(first, lowest), first + count) for first, count in ranges if first + count > lowest]
    return "".join(f"{first} {first} {end - first}\n" for first, end in kept)


def _user_namespace_works(wanted: dict[str, int]) -> bool:
    """Try it in a child, because a partial success would leave this process in a broken state."""
    pid = os.fork()
    if pid == 0:
        try:
            _enter_as_user(wanted)
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1] == 0


def _enter_pid_namespace() -> None:
    """Continue as the first process of the new process namespace, because a process cannot change its own.

    The process outside only waits for it. When it ends, the kernel ends everything inside.
    """
    pid = os.fork()
    if pid:
        os.closerange(0, os.sysconf("SC_OPEN_MAX"))
        os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)
    libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
