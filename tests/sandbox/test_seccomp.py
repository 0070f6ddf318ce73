"""The system-call filter matches its table, in an interpreter for both machines and in this machine's kernel."""

import ctypes
import os
import signal
from pathlib import Path
from random import Random

import pytest

from arena.sandbox.inside import libc
from arena.sandbox.inside.allowed import ALLOWED
from arena.sandbox.inside.seccomp import assemble, install, instructions
from arena.sandbox.inside.syscalls import ARCHITECTURES, HOSTILE
from tests.sandbox.calls import ALLOW, KILL, LAST, REFUSE, SKIP, TIME_OUT, draw, expected, run_filter, table

machines = pytest.mark.parametrize("machine", ARCHITECTURES)


def decide(machine: str, name: str, *arguments: int) -> int:
    """Return the filter's answer to a system call, by name."""
    arch, numbers = ARCHITECTURES[machine]
    return run_filter(instructions(machine), numbers[name], arguments, arch)


def mapping(machine: str, addr: int = 0, prot: int = 3, flags: int = 0x22, descriptor: int = -1) -> int:
    """Return the filter's answer to `mmap`, by default with the arguments that allocators use."""
    return decide(machine, "mmap", addr, 4096, prot, flags, descriptor, 0)


@machines
def test_filter_matches_the_table(machine: str) -> None:
    """The filter and the table give the same answers to random calls, most of them allowed or nearly so."""
    program, (arch, _), rng = instructions(machine), ARCHITECTURES[machine], Random(machine)
    answers = set()
    for _ in range(50_000):
        call = draw(rng, machine)
        answers.add(found := run_filter(program, *call, arch))
        assert found == expected(machine, call), call

    assert answers == {ALLOW, REFUSE, SKIP, TIME_OUT, KILL}


@machines
def test_only_listed_values_are_allowed(machine: str) -> None:
    """Each listed value is allowed, and the values next to it are not unless they are listed."""
    for name in [name for name in ALLOWED if not ALLOWED[name].skipped and name in ARCHITECTURES[machine][1]]:
        usual = [0] * 6
        for argument in ALLOWED[name].arguments:
            usual[argument.position] = next(iter(argument.values.values()))
        assert decide(machine, name, *usual) == ALLOW
        for argument in ALLOWED[name].arguments:
            listed = set(argument.values.values())
            for value in listed | {value + step for value in listed for step in (-1, 1)}:
                given = [*usual[: argument.position], value, *usual[argument.position + 1 :]]
                answer = ALLOW if value in listed else SKIP | argument.error
                assert decide(machine, name, *given) == answer, (name, given)


@machines
def test_every_call_number_has_an_answer(machine: str) -> None:
    """Without arguments, hostile calls kill and unlisted calls are refused."""
    arch, numbers = ARCHITECTURES[machine]
    names = {number: name for name, number in numbers.items()}
    for number in range(LAST):
        if names.get(number) not in ALLOWED:
            answer = run_filter(instructions(machine), number, (), arch)
            assert answer == (KILL if names.get(number) in HOSTILE else REFUSE), number


@machines
def test_jumps_fit_eight_bits(machine: str) -> None:
    """Jump offsets fit the eight bits of the kernel's format, which would silently truncate them."""
    assert all(max(yes, no) < 256 for _, yes, no, _ in instructions(machine))


@machines
def test_other_calling_conventions_kill(machine: str) -> None:
    """32-bit calls, x32 calls and negative call numbers kill."""
    arch, program = ARCHITECTURES[machine][0], instructions(machine)
    for other in (0x40000003, 0x40000028, 0):
        assert run_filter(program, 0, (), other) == KILL
    assert run_filter(program, 0x40000000, (), arch) == KILL
    assert run_filter(program, -1, (), arch) == KILL


@machines
def test_mmap_is_private_writable_and_placed_by_the_kernel(machine: str) -> None:
    """Mappings cannot be executable, shared, of a file, or at an address chosen by the bot."""
    assert mapping(machine) == ALLOW
    for protection in (0, 1, 2, 4, 5, 7, 0x01000003, 3 | 1 << 32):
        assert mapping(machine, prot=protection) == REFUSE
    for address in (4096, 1 << 30, 1 << 32, 1 << 47, 1 << 63):
        assert mapping(machine, addr=address) == REFUSE
    for flags in (0x21, 0x23, 2, 1, *(0x22 | 1 << bit for bit in range(64) if not 0x22 >> bit & 1)):
        assert mapping(machine, flags=flags) == REFUSE


@machines
def test_only_the_bots_own_clock_is_allowed(machine: str) -> None:
    """Clocks of real time and those of other processes, which have negative numbers, are refused."""
    for call in ("clock_gettime", "clock_getres"):
        assert [clock for clock in range(64) if decide(machine, call, clock) == ALLOW] == [2, 3]
        assert decide(machine, call, ~1234 << 3 | 2) == REFUSE


@machines
def test_no_call_waits_for_a_time(machine: str) -> None:
    """A sleep is skipped and a wait with a timeout times out, so no deadline tells a bot the time."""
    assert decide(machine, "clock_nanosleep", 0, 1, 4096) == SKIP
    for operation in (128, 137, 137 | 256):
        assert decide(machine, "futex", 4096, operation, 0, 0) == ALLOW
        assert decide(machine, "futex", 4096, operation, 0, 4096) == TIME_OUT


@machines
def test_futexes_are_private(machine: str) -> None:
    """Private operations for locks are allowed; shared ones and those with a history of bugs are refused."""
    for operation in (128, 129, 137, 137 | 256):
        assert decide(machine, "futex", 4096, operation) == ALLOW
    for operation in (*range(16), 9 | 256, 128 | 256, *(128 | other for other in (2, 3, 4, 5, 6, 7, 8, 10, 11, 12))):
        assert decide(machine, "futex", 4096, operation) == REFUSE


@machines
def test_clone_with_namespaces_kills(machine: str) -> None:
    """A new thread or process is refused; new namespaces kill."""
    assert decide(machine, "clone", 17) == REFUSE
    for flag in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert decide(machine, "clone", 17 | flag) == KILL


def test_sandbox_page_has_the_table() -> None:
    """The documented calls, arguments and reasons match the filter."""
    page = (Path(__file__).parents[2] / "docs/sandbox.md").read_text()

    assert "\n".join(table()) in page


CODES = {
    "x86_64": {
        "of 32 bits": "b814000000cd80c3",  # mov eax, getpid; int 0x80; ret
        "of x32": "b827000040" + "0f05c3",  # mov eax, getpid | x32; syscall; ret
        "to trace": "b865000000" + "0f05c3",  # mov eax, ptrace; syscall; ret
    },
    "aarch64": {"to trace": "a80e80d2010000d4c0035fd6"},  # mov x8, ptrace; svc 0; ret
}
"""Machine code of calls, by machine."""


@pytest.mark.parametrize("call", CODES[os.uname().machine])
def test_machine_code_is_filtered(call: str) -> None:
    """Machine code that bypasses the C library is also subject to the filter."""
    code = bytes.fromhex(CODES[os.uname().machine][call])

    assert ends(code, filtered=False) in (0, -signal.SIGSEGV)  # some kernels have no 32-bit calls
    assert ends(code, filtered=True) == (-signal.SIGSYS if ends(code, filtered=False) == 0 else -signal.SIGSEGV)


def ends(code: bytes, filtered: bool) -> int:
    """Return the exit status, or minus the signal, of a process that runs this code."""
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
