"""Random system calls, an interpreter of the filter, the expected answers, and the table of docs/sandbox.md.

python -m tests.sandbox.calls
"""

import errno
import os
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from arena.sandbox.inside.allowed import ALLOWED, Argument, Call
from arena.sandbox.inside.seccomp import Instruction
from arena.sandbox.inside.syscalls import ARCHITECTURES, HOSTILE

ALLOW: Final = 0x7FFF0000
REFUSE: Final = 0x00050001
SKIP: Final = 0x00050000
TIME_OUT: Final = SKIP | errno.ETIMEDOUT
KILL: Final = 0x80000000
ANSWERS: Final = {ALLOW: "allowed", REFUSE: "refused", SKIP: "skipped", TIME_OUT: "timed out", KILL: "killed"}
LAST: Final = 470
"""Highest call number tried; the newest kernels have fewer."""
PAST_FILTERS: Final = frozenset((335, 336) if os.uname().machine == "x86_64" else ())
"""The kernel's own calls for its probes. They pass every filter and kill any other process that makes them."""
_X32: Final = 0x40000000
_NEW_NAMESPACES: Final = 0x7E020000
_EDGES: Final = (0, 1, 2, 3, 4, 7, 4096, 0x10, 0x32, 0x4022, 0x8022, 0x40022, 0xFFFFFFFF, 1 << 32, 1 << 63, -1)


class Made(NamedTuple):
    """A system call by a bot."""

    number: int
    arguments: tuple[int, ...]


def expected(machine: str, call: Made) -> int:
    """Return the answer to a call according to the tables."""
    if not 0 <= call.number < _X32:
        return KILL
    numbers = ARCHITECTURES[machine][1]
    name = next((name for name, number in numbers.items() if number == call.number), "")
    if name in HOSTILE or (name == "clone" and call.arguments[0] & _NEW_NAMESPACES):
        return KILL
    if name not in ALLOWED:
        return REFUSE
    if ALLOWED[name].skipped:
        return SKIP
    wrong = (argument for argument in ALLOWED[name].arguments if not holds(argument, call.arguments))
    return next((SKIP | argument.error for argument in wrong), ALLOW)


def holds(argument: Argument, given: Sequence[int]) -> bool:
    """Return whether an argument has an allowed value as the kernel reads it."""
    bits = 64 if argument.wide else 32
    return given[argument.position] & (1 << bits) - 1 in argument.values.values()


def draw(rng: Random, machine: str) -> Made:
    """Return a random call; many are allowed or differ from an allowed call in one argument."""
    names = [name for name in ALLOWED if name in ARCHITECTURES[machine][1]]
    arguments = [_value(rng) for _ in range(6)]
    if rng.random() < 0.3:
        return Made(_number(rng), tuple(arguments))
    name = rng.choice(names)
    for argument in ALLOWED[name].arguments:
        arguments[argument.position] = rng.choice(list(argument.values.values())) | (rng.random() < 0.1) << 32
    if rng.random() < 0.5:
        arguments[rng.randrange(6)] = _value(rng)
    return Made(ARCHITECTURES[machine][1][name], tuple(arguments))


def _number(rng: Random) -> int:
    number = rng.randrange(LAST)
    return rng.choice([number] * 18 + [number | _X32, -number - 1])


def _value(rng: Random) -> int:
    """Return a random argument: an edge case, a single bit, an allowed value of any call, or any number."""
    value = rng.choice([rng.choice(_EDGES), 1 << rng.randrange(64), rng.choice(_LISTED), rng.getrandbits(64)])
    return value ^ (1 << rng.randrange(64)) if rng.random() < 0.1 else value


_LISTED: Final = [
    value for call in ALLOWED.values() for argument in call.arguments for value in argument.values.values()
]


def run_filter(program: Sequence[Instruction], number: int, arguments: Sequence[int] = (), arch: int = 0) -> int:
    """Return the filter's answer to a system call. Missing arguments are 0."""
    padded = (*arguments, *[0] * 6)[:6]
    data = [number & 0xFFFFFFFF, arch, 0, 0]
    for value in padded:
        data += [value & 0xFFFFFFFF, value >> 32 & 0xFFFFFFFF]
    at, register = 0, 0
    while True:
        code, yes, no, operand = program[at]
        at += 1
        if code == 0x06:
            return operand
        if code == 0x20:
            register = data[operand // 4]
        else:
            holds = {0x15: register == operand, 0x35: register >= operand, 0x45: bool(register & operand)}[code]
            at += yes if holds else no


def table() -> Iterator[str]:
    """Yield the lines of the Markdown table."""
    yield "| call | allowed arguments | why |"
    yield "| --- | --- | --- |"
    for name, call in ALLOWED.items():
        yield f"| `{name}` | {_allowed(call)} | {call.reason} |"


def _allowed(call: Call) -> str:
    return "none: it succeeds without effect" if call.skipped else "; ".join(map(_shown, call.arguments)) or "any"


def _shown(argument: Argument) -> str:
    return f"`{argument.name}` is {' or '.join(f'`{name}`' for name in argument.values)}".replace("|", "\\|")


if __name__ == "__main__":
    print("\n".join(table()))
