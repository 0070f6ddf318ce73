"""Namespaces of their own for the zygote and all its children: no network, no System V objects, no host name."""

import os
from typing import Final

from . import libc

KINDS: Final = {"network": libc.CLONE_NEWNET, "ipc": libc.CLONE_NEWIPC, "uts": libc.CLONE_NEWUTS}
_ALL: Final = libc.CLONE_NEWNET | libc.CLONE_NEWIPC | libc.CLONE_NEWUTS


def enter() -> dict[str, str]:
    """Enter what this host allows: by name, why a namespace could not be had, or an empty text."""
    found = {name: _try(flag) for name, flag in KINDS.items()}
    if any(found.values()) and _user_namespace_works():
        _enter_as_user()
        return dict.fromkeys(KINDS, "")
    return found


def _try(flag: int) -> str:
    try:
        libc.unshare(flag)
    except OSError as error:
        return os.strerror(error.errno or 0)
    return ""


def _enter_as_user() -> None:
    """As an ordinary user, by way of a user namespace in which our ids stay what they are."""
    uid, gid = os.geteuid(), os.getegid()
    libc.unshare(libc.CLONE_NEWUSER | _ALL)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        libc.write(f"/proc/self/{name}", text)


def _user_namespace_works() -> bool:
    """Tried in a child: half of it would spoil this process."""
    pid = os.fork()
    if pid == 0:
        try:
            _enter_as_user()
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1] == 0
