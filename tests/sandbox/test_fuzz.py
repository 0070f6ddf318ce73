"""Random system calls, compared with the table of allowed calls."""

import ctypes
import mmap
import os
import resource
import select
import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest

from arena.sandbox.inside import libc
from arena.sandbox.inside.seccomp import assemble, install
from arena.sandbox.inside.syscalls import ARCHITECTURES
from tests.sandbox.calls import ALLOW, KILL, PAST_FILTERS, REFUSE, SKIP, TIME_OUT, Made, draw, expected
from tests.sandbox.conftest import Seat, acting, answer

MACHINE = os.uname().machine
NUMBERS = ARCHITECTURES[MACHINE][1]
DESTRUCTIVE = {NUMBERS[name] for name in ("munmap", "brk", "madvise", "exit_group")}
"""Calls that a process may not survive with random arguments."""
ABORT = NUMBERS["tgkill"]
"""A call whose allowed arguments depend on the process."""
PROCESSES = 60
MOST = 200
"""Maximum number of calls of one process."""
WATCHDOG = 60
"""Seconds after which a hung process is killed."""
GRACE = 0.5
"""Seconds that a process gets to end after a destructive call."""
BEGUN, ENDED = 1, 2
"""States of a call."""

syscall = ctypes.CDLL(None, use_errno=True).syscall
syscall.restype = ctypes.c_long


@pytest.mark.parametrize("seed", range(10))
def test_kernel_answers_match_the_table(seed: int) -> None:
    """Processes under the filter make random calls until one ends or may have damaged the process."""
    rng, pointer = Random(seed), readable_page()
    for _ in range(PROCESSES):
        calls = batch(rng, pointer)
        with mmap.mmap(-1, 24 * len(calls)) as results:
            status = run(calls, results)
            check(calls, memoryview(results).cast("l").tolist(), status)


def batch(rng: Random, pointer: int) -> list[Made]:
    """Return random calls, some with a valid pointer; only the last may end the process.

    None has an address of memory that the process may write to: getrandom(2), for one, would overwrite the interpreter.
    """
    calls: list[Made] = []
    writable = writable_memory()
    while len(calls) < MOST and not (calls and is_last(calls[-1])):
        call = draw(rng, MACHINE)
        harmful = any(value in part for value in call.arguments for part in writable)
        if call.number not in {*PAST_FILTERS, ABORT} and not harmful:
            calls.append(pointing(rng, call, pointer))
    return calls


def writable_memory() -> list[range]:
    """Return the addresses of this process's writable memory."""
    parts = [line.split(maxsplit=2) for line in Path("/proc/self/maps").read_text().splitlines()]
    ends = [map(partial(int, base=16), addresses.split("-")) for addresses, rights, _ in parts if "w" in rights]
    return [range(*each) for each in ends]


def is_last(call: Made) -> bool:
    """Return whether later calls have unpredictable results."""
    wanted = expected(MACHINE, call)
    return wanted == KILL or (wanted == ALLOW and call.number in DESTRUCTIVE)


def pointing(rng: Random, call: Made, pointer: int) -> Made:
    """Replace one argument by a pointer unless that changes the expected answer."""
    at = rng.randrange(6)
    changed = Made(call.number, (*call.arguments[:at], pointer, *call.arguments[at + 1 :]))
    return changed if expected(MACHINE, changed) == expected(MACHINE, call) else call


def readable_page() -> int:
    """Return the address of a read-only page that is not a valid time, so that no call waits."""
    lib = ctypes.CDLL(None)
    lib.mmap.restype = ctypes.c_void_p
    address: int = lib.mmap(None, mmap.PAGESIZE, 3, 0x22, -1, 0)
    ctypes.memset(address, 0x5A, mmap.PAGESIZE)
    lib.mprotect(ctypes.c_void_p(address), mmap.PAGESIZE, 1)
    return address


def run(calls: Sequence[Made], results: mmap.mmap) -> int:
    """Return the exit status, or minus the signal, of a process that makes these calls."""
    pid = os.fork()
    if pid == 0:
        try:
            make(calls, (ctypes.c_long * (3 * len(calls))).from_buffer(results))
        finally:
            os._exit(0)
    handle = os.pidfd_open(pid)
    while not select.select([handle], [], [], GRACE)[0]:
        if calls[-1].number in DESTRUCTIVE and memoryview(results).cast("l")[-3] != 0:
            os.kill(pid, signal.SIGKILL)  # without some of its memory it may loop without end
    os.close(handle)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def make(calls: Sequence[Made], results: ctypes.Array[ctypes.c_long]) -> None:
    """Make the calls in this process under the filter, and store their results."""
    signal.alarm(WATCHDOG)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (1, 2, 3):
        os.dup2(nothing, descriptor)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    prepared = [[ctypes.c_long(value) for value in (call.number, *call.arguments)] for call in calls]
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    install(assemble())
    for at, arguments in enumerate(prepared):
        results[3 * at] = BEGUN
        results[3 * at + 1] = syscall(*arguments)
        results[3 * at + 2] = ctypes.get_errno()
        results[3 * at] = ENDED


def check(calls: Sequence[Made], results: Sequence[int], status: int) -> None:
    """Compare the results of the calls with the table."""
    for at, call in enumerate(calls):
        state, returned, number = results[3 * at : 3 * at + 3]
        answer = SKIP | (number if returned == -1 else 0)
        wanted = expected(MACHINE, call)
        assert (state == ENDED and answer == REFUSE) == (wanted == REFUSE), f"{call}: {returned}, errno {number}"
        assert wanted not in (SKIP, TIME_OUT) or (state, answer) == (ENDED, wanted), f"{call}: {returned}"
        assert state == ENDED or is_last(call), f"{call} ended the process: {status}"
        assert wanted != KILL or (state, status) == (BEGUN, -signal.SIGSYS), f"{call} did not kill: {status}"


def test_random_calls_spare_the_memory_of_the_process() -> None:
    """No call has the address of a page that a random argument can name, once the page is writable."""
    lib, drawn = ctypes.CDLL(None), 1 << 28
    lib.mmap.restype = ctypes.c_void_p
    fixed = lib.mmap(ctypes.c_void_p(drawn), mmap.PAGESIZE, 3, 0x100022, -1, 0)  # MAP_FIXED_NOREPLACE: or it is in use

    calls = [call for seed in range(20) for call in batch(Random(seed), readable_page())]

    assert fixed in (drawn, ctypes.c_void_p(-1).value)
    assert any(drawn in part for part in writable_memory())
    assert not any(drawn in call.arguments for call in calls)


def test_refused_calls_are_refused_in_the_whole_cage(seat: Seat) -> None:
    """Calls that the table refuses are refused with any arguments in the whole cage."""
    rng = Random(0)
    calls = [call for call in (draw(rng, MACHINE) for _ in range(4000)) if expected(MACHINE, call) == REFUSE]
    refused = [tuple(call) for call in calls if call.number not in PAST_FILTERS]
    player = seat(
        acting(f"""
        for number, arguments in {refused}:
            if syscall(number, *arguments) != (-1, 1):
                return f"{{number}} {{arguments}}"
        return "all"
        """)
    )

    assert answer(player) == "all"
