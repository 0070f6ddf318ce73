"""The system-call filter, run by a small interpreter of its own language, for both machines on this one."""

import ctypes
import os
import signal

import pytest

from arena.sandbox.inside import libc
from arena.sandbox.inside.seccomp import assemble, install, instructions
from arena.sandbox.inside.syscalls import ALLOWED, ARCHITECTURES, HOSTILE

ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050001, 0x80000000
machines = pytest.mark.parametrize("machine", ARCHITECTURES)


def decide(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """What the filter says to a system call."""
    program = instructions(machine)
    data = {0: number & 0xFFFFFFFF, 4: ARCHITECTURES[machine][0] if arch is None else arch}
    data |= {16 + 8 * index: value & 0xFFFFFFFF for index, value in enumerate(arguments)}
    at, register = 0, 0
    while True:
        code, yes, no, operand = program[at]
        at += 1
        if code == 0x06:
            return operand
        if code == 0x20:
            register = data.get(operand, 0)
        elif code == 0x54:
            register &= operand
        else:
            holds = {0x15: register == operand, 0x35: register >= operand, 0x45: bool(register & operand)}[code]
            at += yes if holds else no


@machines
def test_every_name_means_what_the_lists_say(machine: str) -> None:
    """Allowed calls with harmless arguments pass, hostile ones kill, and all others are refused."""
    numbers = ARCHITECTURES[machine][1]
    known = {numbers[name]: ALLOW for name in ALLOWED if name in numbers}
    known |= {numbers[name]: KILL for name in HOSTILE if name in numbers}

    for number in range(600):
        assert decide(machine, number) == known.get(number, REFUSE), number


@machines
def test_other_ways_of_calling_kill(machine: str) -> None:
    """32-bit calls, x32 calls and calls by a negative number never reach the lists."""
    for arch in (0x40000003, 0x40000028, 0):
        assert decide(machine, 0, arch=arch) == KILL
    assert decide(machine, 0x40000000) == KILL
    assert decide(machine, -1) == KILL


@machines
@pytest.mark.parametrize("name", ["mmap", "mprotect"])
def test_memory_never_becomes_executable(machine: str, name: str) -> None:
    """Whatever else is asked for: with the executable bit, the answer is no."""
    number = ARCHITECTURES[machine][1][name]

    assert decide(machine, number, 0, 4096, 3) == ALLOW
    for protection in (4, 5, 7):
        assert decide(machine, number, 0, 4096, protection) == REFUSE


@machines
def test_only_public_clocks(machine: str) -> None:
    """The clocks of other processes, which are negative numbers, cannot be read."""
    number = ARCHITECTURES[machine][1]["clock_gettime"]

    assert decide(machine, number, 1) == ALLOW
    assert decide(machine, number, 2) == ALLOW
    assert decide(machine, number, ~1234 << 3 | 2) == REFUSE


@machines
def test_futex_waits_and_wakes_only(machine: str) -> None:
    """The operations that locks need pass, also when private; those with a history of holes do not."""
    number = ARCHITECTURES[machine][1]["futex"]

    for operation in (0, 1, 9, 10, 128, 129, 9 | 128 | 256):
        assert decide(machine, number, 0, operation) == ALLOW
    for operation in (3, 4, 5, 6, 7, 11, 12, 13, 6 | 128):
        assert decide(machine, number, 0, operation) == REFUSE


@machines
def test_clone_with_namespaces_kills(machine: str) -> None:
    """A thread or a process is refused; a new namespace is an attack."""
    number = ARCHITECTURES[machine][1]["clone"]

    assert decide(machine, number, 17) == REFUSE
    for flag in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert decide(machine, number, 17 | flag) == KILL


CODES = {
    "x86_64": {
        "of 32 bits": "b814000000cd80c3",  # mov eax, getpid; int 0x80; ret
        "of x32": "b827000040" + "0f05c3",  # mov eax, getpid | x32; syscall; ret
        "to trace": "b865000000" + "0f05c3",  # mov eax, ptrace; syscall; ret
    },
    "aarch64": {"to trace": "a80e80d2010000d4c0035fd6"},  # mov x8, ptrace; svc 0; ret
}
"""Machine code by machine and by the call that it makes."""


@pytest.mark.parametrize("call", CODES[os.uname().machine])
def test_machine_code_cannot_get_round_it(call: str) -> None:
    """Even code that was executable before the filter came dies of a call past the C library, by whatever door."""
    code = bytes.fromhex(CODES[os.uname().machine][call])

    assert ends(code, filtered=False) in (0, -signal.SIGSEGV)  # some kernels have no calls of 32 bits
    assert ends(code, filtered=True) == (-signal.SIGSYS if ends(code, filtered=False) == 0 else -signal.SIGSEGV)


def ends(code: bytes, filtered: bool) -> int:
    """How a process ends that runs this code: its status, or minus its signal."""
    pid = os.fork()
    if pid == 0:
        call = ctypes.CFUNCTYPE(ctypes.c_long)(_executable(code))
        if filtered:
            libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
            install(assemble())
        call()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _executable(code: bytes) -> int:
    lib = ctypes.CDLL(None)
    lib.mmap.restype = ctypes.c_void_p
    address: int = lib.mmap(None, 4096, 7, 0x22, -1, 0)
    ctypes.memmove(address, code, len(code))
    return address
