"""The system-call filter: a small classic BPF program, written by hand.

Another architecture than the one we run on (so also 32-bit calls) and x32 calls kill the process. What the interpreter
needs is allowed, memory never becomes executable, hostile calls kill, and everything else is "operation not permitted":
so there are no sockets, no files, no signals to others, no threads and no processes.
"""

import ctypes
import os
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

from .libc import PR_SET_SECCOMP, prctl
from .syscalls import ALLOWED, HOSTILE, calls_of

Instruction = tuple[int, int, int, int]
"""Code, how far to jump where it is true, and where it is false, operand."""
Block = tuple[Instruction, ...]
"""Instructions that end in an answer, whichever way they are gone through."""

_LOAD: Final = 0x20
_EQUAL: Final = 0x15
_AT_LEAST: Final = 0x35
_ANY_BIT: Final = 0x45
_AND: Final = 0x54
_RETURN: Final = 0x06

_ALLOW: Final[Instruction] = (_RETURN, 0, 0, 0x7FFF0000)
_REFUSE: Final[Instruction] = (_RETURN, 0, 0, 0x00050000 | 1)  # errno EPERM
_KILL: Final[Instruction] = (_RETURN, 0, 0, 0x80000000)

_NUMBER: Final = 0
_ARCH: Final = 4
_X32: Final = 0x40000000
_PROT_EXEC: Final = 4
_NEW_NAMESPACES: Final = 0x7E020000
_PROCESS_CLOCKS: Final = 16
"""Clock ids from here on (the negative ones, too) are those of single processes: somebody else's seat."""
_FUTEX_OPERATIONS: Final = (0, 1, 9, 10)
_FUTEX_COMMAND: Final = 0x7F


def _argument(index: int) -> Instruction:
    """Load the low half of an argument (both machines are little-endian)."""
    return (_LOAD, 0, 0, 16 + 8 * index)


_NOT_EXECUTABLE: Final = (_argument(2), (_ANY_BIT, 0, 1, _PROT_EXEC), _REFUSE, _ALLOW)
_PUBLIC_CLOCK: Final = (_argument(0), (_AT_LEAST, 0, 1, _PROCESS_CLOCKS), _REFUSE, _ALLOW)
_CONDITIONS: Final[dict[str, Block]] = {
    "mmap": _NOT_EXECUTABLE,
    "mprotect": _NOT_EXECUTABLE,
    "clock_gettime": _PUBLIC_CLOCK,
    "clock_getres": _PUBLIC_CLOCK,
    "clock_nanosleep": _PUBLIC_CLOCK,
    "futex": (
        _argument(1),
        (_AND, 0, 0, _FUTEX_COMMAND),
        *((_EQUAL, len(_FUTEX_OPERATIONS) - i, 0, operation) for i, operation in enumerate(_FUTEX_OPERATIONS)),
        _REFUSE,
        _ALLOW,
    ),
    "clone": (_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), _KILL, _REFUSE),
}


def instructions(machine: str) -> list[Instruction]:
    """The filter for a machine, by its name in uname(2). Raises OSError where we have no table for it."""
    arch, numbers = calls_of(machine)
    prologue = [(_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, arch), _KILL, (_LOAD, 0, 0, _NUMBER)]
    return [*prologue, *_search(_answers(numbers))]


def _answers(numbers: Mapping[str, int]) -> list[tuple[int, Block]]:
    """What is answered to which calls, each from the number that is named up to the next one."""
    answers: dict[int, Block] = {0: (_REFUSE,), _X32: (_KILL,)}
    known = {numbers[name]: name for name in (*ALLOWED, "clone", *HOSTILE) if name in numbers}
    for number, name in sorted(known.items()):
        answers[number] = _CONDITIONS.get(name, (_KILL,) if name in HOSTILE else (_ALLOW,))
        if number + 1 not in known:
            answers[number + 1] = (_REFUSE,)
    return [next(alike) for _, alike in groupby(sorted(answers.items()), itemgetter(1))]


def _search(answers: Sequence[tuple[int, Block]]) -> Block:
    """A binary search. The kernel runs a new filter once for every number there is, so that a list would be dear."""
    if len(answers) == 1:
        return answers[0][1]
    middle = len(answers) // 2
    low, high = _search(answers[:middle]), _search(answers[middle:])
    return ((_AT_LEAST, len(low), 0, answers[middle][0]), *low, *high)


class _Filter(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint16), ("yes", ctypes.c_uint8), ("no", ctypes.c_uint8), ("k", ctypes.c_uint32))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("filter", ctypes.POINTER(_Filter)))


def assemble() -> ctypes.Structure:
    """The filter as the kernel takes it; made once, before the forks. Raises OSError."""
    listed = instructions(os.uname().machine)
    return _Program(len(listed), (_Filter * len(listed))(*(_Filter(*each) for each in listed)))


def install(program: ctypes.Structure) -> None:
    """Put this process, for ever, under the filter. Needs no_new_privs. Raises OSError."""
    prctl(PR_SET_SECCOMP, 2, ctypes.addressof(program))
