"""Who is at fault when a bot's process is gone: decided by how it ended, by nothing that it said.

Nothing in the cage can send a signal, to others or to itself. So a signal is either the kernel's answer to what the
process did (a wild pointer, a forbidden call, a limit that it ran into), and that is the bot's own fault, or it came
from outside, and then it is ours: from an operator, or from a kernel that is out of memory.
"""

import os
import signal
from typing import Final

from arena.games.errors import ArenaError, ArenaFault
from arena.sandbox.limits import Limits
from arena.sandbox.zygote import Exit
from arena.sdk.faults import Fault

_NEARLY_ALL: Final = 0.9
"""The share of the memory limit beyond which a crash is put down to memory."""
_GAVE_UP: Final = 1
"""The exit status of an interpreter that could not go on."""
_OWN: Final = {
    signal.SIGSEGV: "it used memory that it does not have (Segmentation fault), or recursed too deep in C",
    signal.SIGBUS: "it used memory that cannot be had (Bus error)",
    signal.SIGFPE: "it divided by zero in C (Floating point exception)",
    signal.SIGILL: "it ran into something that is no instruction (Illegal instruction)",
    signal.SIGTRAP: "it ran into a breakpoint (Trap)",
    signal.SIGABRT: "it gave up in C (Aborted)",
    signal.SIGPIPE: "it wrote to a connection that is closed (Broken pipe)",
    signal.SIGSYS: "it was killed for a system call that is forbidden to bots",
    signal.SIGXFSZ: "it wrote past the limit of its output",
}
"""What a process can bring upon itself."""
_BY_CRASHING: Final = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT)
"""How code in C ends that does not expect to be refused memory."""


def of_exit(ended: Exit, limits: Limits, stage: str) -> ArenaError:
    """The verdict on a process that hung up in the middle of a match."""
    if not os.WIFSIGNALED(ended.status):
        return _by_itself(ended, limits, stage)
    number = os.WTERMSIG(ended.status)
    if number in (signal.SIGKILL, signal.SIGXCPU):
        return _killed(ended, limits, stage)
    if number not in _OWN:
        return ArenaFault(f"a bot's process was ended from outside, by signal {number} ({signal.strsignal(number)})")
    if number in _BY_CRASHING and _full(ended, limits):
        return _out_of_memory(limits, stage)
    return Fault("crash", _OWN[signal.Signals(number)], stage=stage)


def _by_itself(ended: Exit, limits: Limits, stage: str) -> Fault:
    status = os.WEXITSTATUS(ended.status)
    if status == _GAVE_UP and _full(ended, limits):
        return _out_of_memory(limits, stage)
    return Fault("crash", f"it ended its own process, with status {status}", stage=stage)


def _killed(ended: Exit, limits: Limits, stage: str) -> ArenaError:
    """By us, because it hung up and lived on; by the kernel, at its last limit of time; or by somebody else."""
    if ended.killed:
        return Fault("protocol", "it closed its connection to the arena", stage=stage)
    if ended.cpu >= limits.cpu - 1:
        return Fault("timeout", f"it used the {limits.cpu} s of CPU time that a process may use in all", stage=stage)
    return ArenaFault("a bot's process was killed from outside: this machine is out of memory, or somebody did it")


def _full(ended: Exit, limits: Limits) -> bool:
    return ended.memory > _NEARLY_ALL * limits.memory


def _out_of_memory(limits: Limits, stage: str) -> Fault:
    return Fault("memory", f"it needed more than the {limits.memory >> 20} MiB that are allowed", stage=stage)
