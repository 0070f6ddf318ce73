"""What the kernel lets this process have: Landlock, actions of seccomp, namespaces. Each is tried."""

import ctypes
import errno
import os
import signal
import struct
import threading
from dataclasses import dataclass
from typing import Final

from arena.sandbox.doctor.files import text
from arena.sandbox.doctor.throwaway import ending, outcome, refusal
from arena.sandbox.inside import landlock, libc

LANDLOCK_ADDS: Final = {
    1: ("5.13", "no file is opened, made or removed"),
    2: ("5.19", "no file is moved or linked into another folder"),
    3: ("6.2", "no file is truncated"),
    4: ("6.7", "no TCP port is bound or connected"),
    5: ("6.10", "no device is controlled"),
    6: ("6.12", "no signal and no abstract socket reaches a process outside"),
}
"""By version that the cage makes use of: the first kernel that has it, and what it adds."""
_TRIED: Final = {"kill_process": 0x80000000, "errno": 0x00050000 | errno.EXDEV}
"""What the cage's filter answers; no ordinary call of getppid fails so."""
_GETPPID: Final = {"x86_64": 110, "aarch64": 173}
_THREAD: Final = 0.25
"""Seconds that a thread may take for one system call."""
SYSCTLS: Final = (
    "user.max_user_namespaces",
    "kernel.unprivileged_userns_clone",
    "kernel.apparmor_restrict_unprivileged_userns",
)
"""What decides whether an ordinary user may have namespaces; not every kernel has each."""
SPACES: Final = {
    "user": 0x10000000,
    "pid": 0x20000000,
    "network": 0x40000000,
    "ipc": 0x08000000,
    "uts": 0x04000000,
    "mount": 0x00020000,
    "cgroup": 0x02000000,
}
_SHORT: Final = {"network": "net", "mount": "mnt"}


@dataclass(frozen=True)
class Landlock:
    """The kernel's Landlock."""

    version: int
    """0 for none."""
    why: str
    """Why there is none: ``missing`` (not built in), ``disabled`` (at boot), ``refused`` (to us); else empty."""
    missing: dict[str, str]
    """What newer kernels add that the cage would use, by ``version (kernel)``."""


@dataclass(frozen=True)
class Action:
    """One answer that a filter of system calls can give."""

    listed: bool
    """Whether the kernel lists it."""
    works: bool | None
    """Whether it did what it says when tried; None where it was not tried."""
    why: str
    """What happened instead; empty where it works."""


@dataclass(frozen=True)
class Namespace:
    """One kind of namespace, tried in two ways."""

    own: str
    """Why this process may not have one; empty where it may."""
    by_user: str
    """Why it may not by way of a user namespace; empty where it may."""
    sysctl: str
    """The setting that says how many there may be; empty where there is none."""
    allowed: int | None
    """How many it allows; None where the kernel does not tell."""


def look_at_landlock() -> Landlock:
    """Ask for Landlock's version."""
    version, why = 0, ""
    try:
        version = landlock.abi()
    except OSError as error:
        why = {errno.ENOSYS: "missing", errno.EOPNOTSUPP: "disabled"}.get(error.errno or 0, "refused")
    further = {f"{new} (Linux {since})": adds for new, (since, adds) in LANDLOCK_ADDS.items() if new > version}
    return Landlock(version, why, further)


def look_at_seccomp() -> dict[str, Action]:
    """Every action that the kernel lists, by name; the two that the cage's filter uses are tried."""
    listed = text("/proc/sys/kernel/seccomp/actions_avail").split()
    return {name: _action(name, name in listed) for name in dict.fromkeys([*_TRIED, *listed])}


def _action(name: str, listed: bool) -> Action:
    if name not in _TRIED:
        return Action(listed, None, "")
    answer, status = outcome(lambda: _filtered_thread(_TRIED[name]))
    why = (_not_killed if name == "kill_process" else _not_refused)(answer, status)
    return Action(listed, not why, why)


def _not_killed(answer: str | None, status: int) -> str:
    if answer is None:
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGSYS
        return "" if killed else f"the process that tried it ended with {ending(status)}"
    return answer or "only the thread was killed, not the process"


def _not_refused(answer: str | None, status: int) -> str:
    if answer is None:
        return f"the process that tried it ended with {ending(status)}"
    return "" if answer == os.strerror(errno.EXDEV) else answer or "the call did not return"


def _filtered_thread(action: int) -> str:
    """What getppid answers to a thread whose filter says so; empty where the thread does not come back."""
    answers: list[str] = []
    thread = threading.Thread(target=lambda: answers.append(_filtered(action)), daemon=True)
    thread.start()
    thread.join(_THREAD)
    return "".join(answers)


def _filtered(action: int) -> str:
    try:
        number = _GETPPID[os.uname().machine]
        put_under(number, action)
        libc.syscall(number)
    except KeyError as machine:
        return f"there is no table of system calls for {machine.args[0]}"
    except OSError as error:
        return error.strerror or str(error)
    return "the call was let through"


def put_under(number: int, action: int) -> None:
    """Put this thread under a filter that answers one system call so. Raises OSError."""
    lines = ((0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, action), (0x06, 0, 0, 0x7FFF0000))
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(lines), ctypes.addressof(program)))
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    libc.prctl(libc.PR_SET_SECCOMP, 2, ctypes.addressof(header))


def look_at_namespaces() -> dict[str, Namespace]:
    """Every kind of namespace, by name, tried by this process itself and by way of a user namespace."""
    return {name: _namespace(name, flag) for name, flag in SPACES.items()}


def _namespace(name: str, flag: int) -> Namespace:
    def by_user() -> None:
        libc.unshare(libc.CLONE_NEWUSER)
        if flag != libc.CLONE_NEWUSER:
            libc.unshare(flag)

    sysctl = f"user.max_{_SHORT.get(name, name)}_namespaces"
    allowed = value(sysctl)
    return Namespace(
        own=refusal(lambda: libc.unshare(flag)),
        by_user=refusal(by_user),
        sysctl=sysctl if allowed else "",
        allowed=int(allowed) if allowed.isdecimal() else None,
    )


def sysctls() -> dict[str, str]:
    """What decides about namespaces of ordinary users, as far as this kernel has it."""
    return {name: value(name) for name in SYSCTLS if value(name)}


def value(sysctl: str) -> str:
    """A setting of the kernel's; empty where there is none."""
    return text(f"/proc/sys/{sysctl.replace('.', '/')}")
