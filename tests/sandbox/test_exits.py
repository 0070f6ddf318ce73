"""Verdicts on processes that are gone, at the edges of their limits."""

import signal

import pytest

from arena.games.errors import ArenaFault
from arena.sandbox.limits import Limits
from arena.sandbox.verdict import of_exit
from arena.sandbox.zygote import ProcessExit
from arena.sdk.faults import Fault

LIMITS = Limits(memory=100 << 20, cpu=10)
FULL = 90 << 20
"""Memory from which on a crash is attributed to it."""
FAILED = 1 << 8
"""Status of a process that exits with 1."""


@pytest.mark.parametrize(
    ("ended", "kind"),
    [
        (ProcessExit(signal.SIGSEGV, killed=False, cpu=0, memory=FULL + 1), "memory"),
        (ProcessExit(signal.SIGSEGV, killed=False, cpu=0, memory=FULL), "crash"),
        (ProcessExit(signal.SIGFPE, killed=False, cpu=0, memory=FULL + 1), "crash"),
        (ProcessExit(FAILED, killed=False, cpu=0, memory=FULL + 1), "memory"),
        (ProcessExit(FAILED, killed=False, cpu=0, memory=FULL), "crash"),
        (ProcessExit(2 * FAILED, killed=False, cpu=0, memory=FULL + 1), "crash"),
        (ProcessExit(signal.SIGKILL, killed=False, cpu=9.0, memory=0), "timeout"),
        (ProcessExit(signal.SIGXCPU, killed=False, cpu=9.5, memory=0), "timeout"),
        (ProcessExit(signal.SIGKILL, killed=True, cpu=9.0, memory=0), "protocol"),
        (ProcessExit(signal.SIGKILL, killed=True, cpu=9.0, memory=0, used_up=True), "memory"),
    ],
)
def test_limit_that_ended_a_process_is_named(ended: ProcessExit, kind: str) -> None:
    """The last tenth of the memory and the last second of CPU time count as the limit."""
    verdict = of_exit(ended, LIMITS, "play")

    assert isinstance(verdict, Fault)
    assert kind == verdict.kind


@pytest.mark.parametrize("status", [signal.SIGKILL, signal.SIGXCPU, signal.SIGTERM])
def test_process_that_was_ended_below_its_limits_is_no_fault_of_the_bot(status: int) -> None:
    """Somebody else ended it: an operator, or a kernel without memory."""
    verdict = of_exit(ProcessExit(status, killed=False, cpu=8.9, memory=FULL), LIMITS, "play")

    assert isinstance(verdict, ArenaFault)
