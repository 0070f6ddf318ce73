"""The system-call filter, a small handwritten classic BPF program.

Calls of other architectures (including 32-bit calls) and x32 calls kill the process. Calls in `allowed` pass with the
listed arguments, hostile calls kill, and all others fail with "operation not permitted". A bot therefore has no
sockets, files, threads, processes or real time, no signals except its own `abort`, and no shared or executable memory.
"""

import ctypes
import errno
import os
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from .allowed import ALLOWED, OWN_ID, Argument, Call
from .libc import PR_SET_SECCOMP, prctl
from .syscalls import HOSTILE, calls_of

Instruction = tuple[int, int, int, int]
"""Code, jump offset if true, jump offset if false, operand."""
Block = tuple[Instruction, ...]
"""Instructions that end in an answer on every path."""

_LOAD: Final = 0x20
_EQUAL: Final = 0x15
_AT_LEAST: Final = 0x35
_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06

_ALLOW: Final[Instruction] = (_RETURN, 0, 0, 0x7FFF0000)
_REFUSE: Final[Instruction] = (_RETURN, 0, 0, 0x00050000 | errno.EPERM)
_SKIP: Final[Instruction] = (_RETURN, 0, 0, 0x00050000)  # as if the call had succeeded
_KILL: Final[Instruction] = (_RETURN, 0, 0, 0x80000000)

_NUMBER: Final = 0
_ARCH: Final = 4
_X32: Final = 0x40000000
_NEW_NAMESPACES: Final = 0x7E020000


def _load(position: int, upper: bool = False) -> Instruction:
    """Load half of an argument (both machines are little-endian)."""
    return (_LOAD, 0, 0, 16 + 8 * position + 4 * upper)


_CLONE: Final[Block] = (_load(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), _KILL, _REFUSE)


def _permission(call: Call) -> Block:
    """Allow a call with its arguments and refuse it with all others."""
    if call.skipped:
        return (_SKIP,)
    block: Block = (_ALLOW,)
    for argument in reversed(call.arguments):
        block = (*_check(argument, refuse=len(block)), *block, (_RETURN, 0, 0, 0x00050000 | argument.error))
    return block


def _check(argument: Argument, refuse: int) -> Block:
    """Continue if the argument has an allowed value, otherwise skip `refuse` instructions."""
    last = len(argument.values) - 1
    tests = tuple((_EQUAL, last - at, 0, value) for at, value in enumerate(argument.values.values()))
    tests = (_load(argument.position), *tests[:-1], (_EQUAL, 0, refuse, tests[-1][-1]))
    upper = (_load(argument.position, upper=True), (_EQUAL, 0, len(tests) + refuse, 0))
    return (*upper, *tests) if argument.wide else tests


_BLOCKS: Final[dict[str, Block]] = {
    "clone": _CLONE,
    **dict.fromkeys(HOSTILE, (_KILL,)),
    **{name: _permission(call) for name, call in ALLOWED.items()},
}
"""Answers by name of the call; all other calls are refused."""


def instructions(machine: str) -> list[Instruction]:
    """Return the filter for a machine, given its name in uname(2). Raises `OSError` if there is no table for it."""
    arch, numbers = calls_of(machine)
    prologue = [(_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, arch), _KILL, (_LOAD, 0, 0, _NUMBER)]
    return [*prologue, *_search(_answers(numbers))]


def _answers(numbers: Mapping[str, int]) -> list[tuple[int, Block]]:
    """Return the answers, each with the first call number to which it applies."""
    given = {numbers[name]: block for name, block in _BLOCKS.items() if name in numbers}
    answers: dict[int, Block] = {0: (_REFUSE,), _X32: (_KILL,)}
    answers |= {number + 1: (_REFUSE,) for number in given} | given
    return [next(alike) for _, alike in groupby(sorted(answers.items()), itemgetter(1))]


def _search(answers: Sequence[tuple[int, Block]]) -> Block:
    """Build a binary search. The kernel runs a new filter once for each call number, so a linear list would be slow."""
    if len(answers) == 1:
        return answers[0][1]
    middle = len(answers) // 2
    low, high = _search(answers[:middle]), _search(answers[middle:])
    return ((_AT_LEAST, len(low), 0, answers[middle][0]), *low, *high)


class _Filter(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("k", ctypes.c_uint32))


class _Code(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("filter", ctypes.POINTER(_Filter)))


class Program(NamedTuple):
    """The filter in the kernel's format."""

    code: ctypes.Structure
    own: Sequence[ctypes.Structure]
    """Instructions whose operand is the id of the process."""


def assemble() -> Program:
    """Assemble the filter, once before any fork. Raises `OSError`."""
    listed = instructions(os.uname().machine)
    filters = (_Filter * len(listed))(*(_Filter(*each) for each in listed))
    return Program(_Code(len(listed), filters), [each for each in filters if each.k == OWN_ID])


def install(program: Program) -> None:
    """Install the filter permanently in this process. Requires no_new_privs. Raises `OSError`."""
    for instruction in program.own:
        instruction.k = os.getpid()
    prctl(PR_SET_SECCOMP, 2, ctypes.addressof(program.code))
