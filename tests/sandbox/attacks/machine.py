"""Requirements of attacks on the machine, each tested in a separate process if needed."""

import ctypes
import os
import socket
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from arena.sandbox.inside.syscalls import ARCHITECTURES

_libc: Final = ctypes.CDLL(None, use_errno=True)
_NEW_HOST_NAME: Final = 0x04000000
_SCOPE: Final = Path("/proc/sys/kernel/yama/ptrace_scope")
_PARANOIA: Final = Path("/proc/sys/kernel/perf_event_paranoid")


def has(need: str) -> bool:
    """Return whether this machine meets one of `NEEDS`."""
    return _found(need)


@cache
def _found(need: str) -> bool:
    return NEEDS[need]()


def works(attempt: Callable[[], bool]) -> bool:
    """Return whether an attempt succeeds in a child process."""
    pid = os.fork()
    if pid == 0:
        done = False
        try:
            done = attempt()
        finally:
            os._exit(not done)
    return os.waitpid(pid, 0)[1] == 0


def call(name: str, *arguments: object) -> int:
    """Make a system call by name; negative if it fails."""
    number = ARCHITECTURES[os.uname().machine][1][name]
    result: int = _libc.syscall(ctypes.c_long(number), *arguments)
    return result


def _rename() -> bool:
    return not _libc.unshare(_NEW_HOST_NAME) and not _libc.sethostname(b"x", ctypes.c_size_t(1))


def _nosuid(path: str) -> bool:
    return bool(os.statvfs(path).f_flag & os.ST_NOSUID)


def _ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as server:
            server.bind(("::1", 0))
    except OSError:
        return False
    return True


def _generated_callbacks() -> bool:
    """Return whether libffi writes code for a callback, unlike versions whose own code serves all callbacks."""
    callback = ctypes.CFUNCTYPE(None)(lambda: None)
    address = ctypes.cast(callback, ctypes.c_void_p).value or 0
    for line in Path("/proc/self/maps").read_text().splitlines():
        first, last = (int(end, 16) for end in line.split()[0].split("-"))
        if first <= address < last:
            return "libffi" not in line
    return True


NEEDS: Final[dict[str, Callable[[], bool]]] = {
    "root": lambda: os.geteuid() == 0,
    "x86_64": lambda: os.uname().machine == "x86_64",
    "own host name": lambda: works(_rename),
    "setuid": lambda: os.geteuid() == 0 and not _nosuid("/tmp"),  # noqa: S108 - where targets are planted
    "IPv6": _ipv6,
    "tracing": lambda: not _SCOPE.exists() or _SCOPE.read_text().strip() == "0",
    "counters": lambda: _PARANOIA.exists() and int(_PARANOIA.read_text()) <= 2,  # Debian's 3 leaves them to root
    "reading processes": lambda: call("process_vm_readv", os.getpid(), None, 0, None, 0, 0) == 0,
    "kcmp": lambda: call("kcmp", os.getpid(), os.getpid(), 1, 0, 0) == 0,
    "generated callbacks": _generated_callbacks,
    "keys": lambda: works(lambda: call("add_key", b"user", b"arena", b"x", 1, ctypes.c_long(-3)) > 0),
}
