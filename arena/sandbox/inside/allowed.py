"""System calls that bots may make, with their arguments and the reason.

`seccomp` assembles the filter from this table, and `docs/sandbox.md` shows it. Arguments that are not listed may have
any value. Calls that are not listed are refused or kill the process (see `syscalls`).
"""

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


class Call(NamedTuple):
    """An allowed system call."""

    reason: str
    arguments: tuple[Argument, ...] = ()


OWN_ID: Final = 0x7FFFFFFF
"""Stands for the id of the process under the filter; larger than any id."""
_CLOCKS: Final = {
    "CLOCK_REALTIME": 0,
    "CLOCK_MONOTONIC": 1,
    "CLOCK_PROCESS_CPUTIME_ID": 2,
    "CLOCK_THREAD_CPUTIME_ID": 3,
    "CLOCK_MONOTONIC_RAW": 4,
    "CLOCK_REALTIME_COARSE": 5,
    "CLOCK_MONOTONIC_COARSE": 6,
    "CLOCK_BOOTTIME": 7,
    "CLOCK_TAI": 11,
}
_CLOCK: Final = Argument(0, "clockid", _CLOCKS)
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
    "futex": Call("locks within the process, with and without timeouts", (Argument(1, "op", _PRIVATE_FUTEX),)),
    "clock_gettime": Call("clocks of the machine and of the bot itself", (_CLOCK,)),
    "clock_getres": Call("the resolution of these clocks", (_CLOCK,)),
    "time": Call("`time.localtime`, on machines without a working vDSO"),
    "clock_nanosleep": Call(
        "`time.sleep`",
        (
            Argument(0, "clockid", {name: _CLOCKS[name] for name in ("CLOCK_REALTIME", "CLOCK_MONOTONIC")}),
            Argument(1, "flags", {"0": 0, "TIMER_ABSTIME": 1}),
        ),
    ),
    "restart_syscall": Call("used by the kernel to resume a sleep or wait after the process was stopped"),
    "sched_yield": Call("spin locks in Python and in numpy's libraries"),
    "getrandom": Call(
        "`os.urandom` and seeds; without `GRND_RANDOM`, which drains a pool shared with others on older kernels",
        (Argument(2, "flags", {"0": 0, "GRND_NONBLOCK": 1}),),
    ),
    "getpid": Call("`os.getpid`: the process id in its own namespace"),
    "gettid": Call("`threading.get_native_id`: the same id"),
    "times": Call("`os.times`: the bot's own CPU time"),
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
