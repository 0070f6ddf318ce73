"""System calls that bots may make, with their arguments and the reason.

`seccomp` assembles the filter from this table, and `docs/sandbox.md` shows it. Arguments that are not listed may have
any value. Calls that are not listed are refused or kill the process (see `syscalls`). None reads real time or waits for
it: with a deadline, a bot could find out the time by trying which have passed (see `clocks`).
"""

import errno
from collections.abc import Mapping
from typing import Final, NamedTuple


class Argument(NamedTuple):
    """Allowed values of one argument."""

    position: int
    name: str
    """Name in the manual page."""
    values: Mapping[str, int]
    """Allowed values by their names in C."""
    wide: bool = False
    """Whether the kernel reads all 64 bits. If not, the kernel and the filter ignore the upper half."""
    error: int = errno.EPERM
    """Error of a call with another value."""


class Call(NamedTuple):
    """An allowed system call."""

    reason: str
    arguments: tuple[Argument, ...] = ()
    skipped: bool = False
    """Whether the call succeeds at once without any effect."""


OWN_ID: Final = 0x7FFFFFFF
"""Stands for the id of the process under the filter; larger than any id."""
_CLOCK: Final = Argument(0, "clockid", {"CLOCK_PROCESS_CPUTIME_ID": 2, "CLOCK_THREAD_CPUTIME_ID": 3})
_PRIVATE_FUTEX: Final = {
    "FUTEX_WAIT_PRIVATE": 128,
    "FUTEX_WAKE_PRIVATE": 129,
    "FUTEX_WAIT_BITSET_PRIVATE": 137,
    "FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME": 393,
}

ALLOWED: Final[Mapping[str, Call]] = {
    "read": Call("the engine's requests", (Argument(0, "fd", {"3": 3}),)),
    "write": Call("replies, and the bot's printed output", (Argument(0, "fd", {"1": 1, "2": 2, "3": 3}),)),
    "close": Call("closing the connection, which has its own verdict", (Argument(0, "fd", {"1": 1, "2": 2, "3": 3}),)),
    "brk": Call("memory for the C library, bounded by the resource limits"),
    "mmap": Call(
        "new private memory for Python, numpy and the C library, at an address chosen by the kernel",
        (
            Argument(0, "addr", {"NULL": 0}, wide=True),
            Argument(2, "prot", {"PROT_READ|PROT_WRITE": 3}, wide=True),
            Argument(3, "flags", {"MAP_PRIVATE|MAP_ANONYMOUS": 0x22}, wide=True),
        ),
    ),
    "munmap": Call("returning memory"),
    "madvise": Call("returning free pages (`malloc_trim`)", (Argument(2, "advice", {"MADV_DONTNEED": 4}),)),
    "futex": Call(
        "locks within the process; a wait with a timeout times out at once (`ETIMEDOUT`)",
        (Argument(1, "op", _PRIVATE_FUTEX), Argument(3, "timeout", {"NULL": 0}, wide=True, error=errno.ETIMEDOUT)),
    ),
    "clock_gettime": Call("the bot's own CPU time; there is no other clock", (_CLOCK,)),
    "clock_getres": Call("the resolution of this clock", (_CLOCK,)),
    "clock_nanosleep": Call("`time.sleep`, which has no effect", skipped=True),
    "sched_yield": Call("spin locks in Python and in numpy's libraries"),
    "getrandom": Call(
        "`os.urandom` and seeds; without `GRND_RANDOM`, which drains a pool shared with others on older kernels",
        (Argument(2, "flags", {"0": 0, "GRND_NONBLOCK": 1}),),
    ),
    "getpid": Call("`os.getpid`: the process id in its own namespace"),
    "gettid": Call("`threading.get_native_id`: the same id"),
    "exit_group": Call("exiting"),
    "writev": Call("the C library's reason for an `abort`", (Argument(0, "fd", {"2": 2}, wide=True),)),
    "tgkill": Call(
        "`abort`, by the only thread of a process on itself",
        (
            Argument(0, "tgid", {"its own process id": OWN_ID}),
            Argument(1, "tid", {"its own process id": OWN_ID}),
            Argument(2, "sig", {"SIGABRT": 6}),
        ),
    ),
}
"""Allowed calls by name: the calls of an interpreter that has imported everything."""
