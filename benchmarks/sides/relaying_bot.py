"""A bot that tells its next match a bit by the time at which a match ends and by what it leaves in the cache.

It prints the bit that it sends, and at its start what each clock, the timer's interrupts and the cache show.
"""

import ctypes
import os
import time
from cmath import exp, phase, pi
from collections.abc import Callable
from typing import Any

from arena.sdk import Bot, View

PERIOD = 0.1
"""Seconds; the bit is the half of a period of the monotonic clock in which a match ends."""
TICK = 0.004
"""Seconds between interrupts of the timer on most kernels, or a multiple."""
WATCHED = 0.012
"""Seconds for which interrupts are watched."""
INTERRUPTED = 4e-6
"""Shortest gap, in seconds, that counts as an interrupt."""
SHARED, SIZE = 0, 0  # BENCHMARK: a part of a library's code, of which all bots have the same copy in memory

libc = ctypes.CDLL(None)
kernel = ctypes.CDLL("linux-vdso.so.1")  # the functions that the kernel maps into each process
place = (ctypes.c_long * 2)()


def read(function: Any, *arguments: int) -> float:
    """Return the time that a function of C writes into its last argument; 0 if it fails."""
    if function(*arguments, ctypes.byref(place)):
        return 0.0
    return place[0] + place[1] / 1e9


def cpu() -> float:
    """Return the CPU seconds of this process, to the nanosecond."""
    return read(libc.clock_gettime, 3)


def deadline() -> float:
    """Return the CPU seconds of a sleep until a moment that has passed, which is long for a clock that has not."""
    before, past = cpu(), (ctypes.c_long * 2)(1, 0)
    libc.clock_nanosleep(0, 1, past, None)
    return cpu() - before


def interrupts() -> complex:
    """Return the phase of the timer's interrupts, relative to now, on the unit circle."""
    total, last = 0j, cpu()
    begin = last
    while last < begin + WATCHED:
        now = cpu()
        if now - last > INTERRUPTED:
            total += (now - last) * exp(2j * pi * (now - begin) / TICK)
        last = now
    return total


def shared() -> float:
    """Return the CPU seconds for reading the shared memory."""
    before = cpu()
    ctypes.string_at(SHARED, SIZE)
    return cpu() - before


def wait(clock: Callable[[], float], seconds: float) -> None:
    """Compute until a clock has advanced by this number of seconds."""
    end = clock() + seconds
    while clock() < end:
        pass


SENSES = {
    "monotonic": lambda: time.monotonic() % PERIOD,
    "gettimeofday": lambda: libc.gettimeofday(ctypes.byref(place), None) or (place[0] + place[1] / 1e6) % PERIOD,
    "system call": lambda: read(libc.syscall, 228, 1) % PERIOD,
    "kernel": lambda: read(kernel.__vdso_clock_gettime, 1) % PERIOD,
    "deadline": deadline,
    "interrupts": lambda: phase(interrupts()) % (2 * pi),
    "start": cpu,
    "cache": shared,
}


class Relay(Bot):
    """Senses what the last match left behind, and leaves a bit for the next."""

    def on_start(self) -> None:
        print(*(sense() for sense in SENSES.values()))
        self.bit = os.urandom(1)[0] % 2
        print(self.bit)

    def act(self, view: View) -> str:
        return view.legal[0]

    def on_end(self, scores: object, ranks: object) -> None:
        """Use up to half a second: fill the cache, and wait for a phase of the clock and of the interrupts."""
        if self.bit:
            ctypes.string_at(SHARED, SIZE)
            ctypes.string_at(SHARED, SIZE)
        else:
            bytearray(40 << 20)  # writes to all of it
        wait(time.monotonic, (self.bit * PERIOD / 2 - time.monotonic()) % PERIOD)
        wait(cpu, (phase(interrupts()) / (2 * pi) + self.bit / 2) % 1 * TICK)
