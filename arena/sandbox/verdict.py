"""Who is at fault when a bot's process is gone: decided by how it ended, by nothing that it said."""

import os
import signal
from typing import Final

from arena.games.errors import ArenaError, ArenaFault
from arena.sandbox.limits import Limits
from arena.sandbox.zygote import Exit
from arena.sdk.faults import Fault

_NEARLY_ALL: Final = 0.9
"""The share of the memory limit beyond which a crash is put down to memory."""


def of_exit(ended: Exit, limits: Limits, stage: str) -> ArenaError:
    """The verdict on a process that hung up in the middle of a match."""
    if not os.WIFSIGNALED(ended.status):
        return _by_itself(ended, limits, stage)
    number = os.WTERMSIG(ended.status)
    if number == signal.SIGKILL:
        return _killed(ended, limits, stage)
    if number == signal.SIGXCPU:
        return _out_of_time(limits, stage)
    if number == signal.SIGSYS:
        return Fault("crash", "it was killed for a system call that is forbidden to bots", stage=stage)
    if _full(ended, limits):
        return _out_of_memory(limits, stage)
    return Fault("crash", f"it was ended by signal {number} ({signal.strsignal(number)})", stage=stage)


def _by_itself(ended: Exit, limits: Limits, stage: str) -> Fault:
    if _full(ended, limits):
        return _out_of_memory(limits, stage)
    return Fault("crash", f"it ended its own process, with status {os.WEXITSTATUS(ended.status)}", stage=stage)


def _killed(ended: Exit, limits: Limits, stage: str) -> ArenaError:
    """Nothing in the cage can send a signal, so a kill that is not ours came from the kernel or an operator."""
    if ended.killed:
        return Fault("protocol", "it closed its connection to the arena", stage=stage)
    if ended.cpu >= limits.cpu - 1:
        return _out_of_time(limits, stage)
    return ArenaFault("a bot's process was killed from outside: this machine is out of memory, or somebody did it")


def _full(ended: Exit, limits: Limits) -> bool:
    return ended.memory > _NEARLY_ALL * limits.memory


def _out_of_memory(limits: Limits, stage: str) -> Fault:
    return Fault("memory", f"it needed more than the {limits.memory >> 20} MiB that are allowed", stage=stage)


def _out_of_time(limits: Limits, stage: str) -> Fault:
    return Fault("timeout", f"it used the {limits.cpu} s of CPU time that a process may use in all", stage=stage)
