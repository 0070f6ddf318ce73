"""Decide who is at fault when a bot's process is gone, from how it ended and not from anything that it said.

Nothing in the cage can send a signal, except SIGABRT to itself. A signal is therefore either that one or the kernel's
reaction to the process (a wild pointer, a forbidden call, a limit), which is the bot's fault, or it came from outside,
from an operator or a kernel that is out of memory, which is the arena's fault.
"""

import os
import signal
from typing import Final

from arena.games.errors import ArenaError, ArenaFault
from arena.sandbox.limits import Limits
from arena.sandbox.zygote import ProcessExit
from arena.sdk.faults import Fault

_MEMORY_SHARE: Final = 0.9
"""Share of the memory limit above which a crash is attributed to memory."""
_INTERPRETER_FAILED: Final = 1
"""Exit status of an interpreter that could not continue."""
_SELF_INFLICTED: Final = {
    signal.SIGSEGV: "it accessed invalid memory (Segmentation fault) or recursed too deeply in C",
    signal.SIGBUS: "it accessed memory that is not available (Bus error)",
    signal.SIGFPE: "it divided by zero in C (Floating point exception)",
    signal.SIGILL: "it executed an invalid instruction (Illegal instruction)",
    signal.SIGTRAP: "it hit a breakpoint (Trap)",
    signal.SIGABRT: "it was aborted by C code (Aborted); its output may say why",
    signal.SIGPIPE: "it wrote to a closed connection (Broken pipe)",
    signal.SIGSYS: "it was killed for a system call that bots may not make",
    signal.SIGXFSZ: "it exceeded its output limit",
}
"""Signals that a process can cause itself."""
_ALLOCATION_CRASHES: Final = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT)
"""Signals that end C code which does not expect allocations to fail."""


def of_exit(ended: ProcessExit, limits: Limits, stage: str) -> ArenaError:
    """Return the verdict on a process that hung up during a match."""
    if not os.WIFSIGNALED(ended.status):
        return _exited(ended, limits, stage)
    number = os.WTERMSIG(ended.status)
    if number in (signal.SIGKILL, signal.SIGXCPU):
        return _killed(ended, limits, stage)
    if number not in _SELF_INFLICTED:
        return ArenaFault(f"a bot's process was ended from outside by signal {number} ({signal.strsignal(number)})")
    if number in _ALLOCATION_CRASHES and _near_memory_limit(ended, limits):
        return _out_of_memory(limits, stage)
    return Fault("crash", _SELF_INFLICTED[signal.Signals(number)], stage=stage)


def _exited(ended: ProcessExit, limits: Limits, stage: str) -> Fault:
    status = os.WEXITSTATUS(ended.status)
    if status == _INTERPRETER_FAILED and _near_memory_limit(ended, limits):
        return _out_of_memory(limits, stage)
    return Fault("crash", f"it ended its own process with status {status}", stage=stage)


def _killed(ended: ProcessExit, limits: Limits, stage: str) -> ArenaError:
    """Return the verdict on a process killed by the kernel, by the engine after it hung up, or from outside."""
    if ended.used_up:
        return _out_of_memory(limits, stage)
    if ended.killed:
        return Fault("protocol", "it closed its connection to the arena", stage=stage)
    if ended.cpu >= limits.cpu - 1:
        return Fault(
            "timeout", f"it used up the {limits.cpu} s of CPU time that a process may use in total", stage=stage
        )
    return ArenaFault(
        "a bot's process was killed from outside: by an operator, or because this machine is out of memory"
    )


def _near_memory_limit(ended: ProcessExit, limits: Limits) -> bool:
    return ended.memory > _MEMORY_SHARE * limits.memory


def _out_of_memory(limits: Limits, stage: str) -> Fault:
    return Fault("memory", f"it needed more memory than the allowed {limits.memory >> 20} MiB", stage=stage)
