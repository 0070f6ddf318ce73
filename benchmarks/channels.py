"""Capacity of the covert channels between seats of one table, and the settings that close them."""

import math
from collections.abc import Sequence
from statistics import mean
from typing import Any, Final, NamedTuple

from benchmarks.child import Command, ours
from benchmarks.results import NOTHING, Table, digits, show_progress
from benchmarks.sides.harness import Sample

GRID: Final = 0.02
"""Delivery grid to measure, in seconds."""
BRACKET: Final = {"bracket": True}
ON_GRID: Final = {"grid": GRID}
FINE: Final = 20e-6
"""Step between pauses, in seconds, that a quiet machine mostly decodes."""
SURE: Final = 200e-6
"""Step between pauses, in seconds, that a quiet machine almost always decodes."""
BUDGET: Final = 0.2
"""Seconds per measurement."""
LONG: Final = 1.0
"""Seconds per measurement of a slow channel, such as one on the grid, where each number takes two steps."""
FORCED: Final = "forced moves, by the time between two turns"
LOAD: Final = "load, both seats asked at once"
DEFAULT, STOPPED, DELIVERED = "default", "stop bracket", f"delivery grid of {GRID * 1000:g} ms"


class Channel(NamedTuple):
    """A row: how numbers are sent, and under which limits."""

    title: str
    setting: str
    measure: str
    options: dict[str, Any]
    budget: float = BUDGET

    @property
    def alphabet(self) -> int:
        """Number of distinct numbers that can be sent."""
        number: int = self.options.get("alphabet", 2)
        return number


def delay(
    setting: str, alphabet: int, step: float, limits: dict[str, Any], budget: float = BUDGET, **more: Any
) -> Channel:
    """Return a channel that encodes each number as a multiple of `step` seconds."""
    title = f"delay: {alphabet} pauses, {step * 1000:g} ms apart"
    return Channel(title, setting, "delay", {"alphabet": alphabet, "step": step, "limits": limits, **more}, budget)


CHANNELS: Final = (
    delay(DEFAULT, 2, FINE, {}),
    delay(DEFAULT, 2, SURE, {}),
    delay(DEFAULT, 16, SURE, {}),
    delay(DEFAULT, 16, 0.005, {}, LONG),
    delay("a seat in between thinks for up to 5 ms", 2, SURE, {}, between=0.005),
    delay("a seat in between thinks for up to 5 ms", 4, 0.005, {}, LONG, between=0.005),
    delay(STOPPED, 2, FINE, BRACKET),
    delay(STOPPED, 16, SURE, BRACKET),
    delay(DELIVERED, 2, GRID / 2, ON_GRID, LONG),
    delay(DELIVERED, 4, GRID, ON_GRID, LONG),
    Channel(FORCED, DEFAULT, "forced", {}, LONG),
    Channel(FORCED, "the other seat declares ask_forced", "forced", {"declared": True}, LONG),
    Channel(FORCED, DELIVERED, "forced", {"limits": ON_GRID}, 4 * LONG),
    Channel("cache", DEFAULT, "cache", {}),
    Channel("cache", STOPPED, "cache", {"limits": BRACKET}),
    Channel("cache", DELIVERED, "cache", {"limits": ON_GRID}, LONG),
    Channel(LOAD, DEFAULT, "load", {}, LONG),
    Channel(LOAD, STOPPED, "load", {"limits": BRACKET}, LONG),
    Channel(LOAD, DELIVERED, "load", {"limits": ON_GRID}, LONG),
)


def run(rounds: int, channels: Sequence[Channel] = CHANNELS, scale: float = 1.0) -> list[Table]:
    """Measure every channel and return one table. `scale` multiplies the time budgets.

    Raises `RuntimeError` if the cage cannot run bots on this machine.
    """
    samples: list[list[Sample]] = [[] for _ in channels]
    with ours("channels") as side:
        for number in range(1, rounds + 1):
            show_progress(f"round {number} of {rounds}")
            for channel, kept in zip(channels, samples, strict=True):
                command = Command(channel.measure, "", channel.options)
                sample = side.measure(command, number, channel.budget * scale)
                kept.extend([sample] if sample else [])
        show_progress("")
        if side.trouble:
            raise RuntimeError(f"the cage {side.trouble}")
    notes = (
        f"Seat 0 sends seat 2 one random number per move; means of {rounds} rounds. Bits are the capacity after error\n"
        "correction. Forced moves are not sent by anyone: seat 0 guesses whether the move of seat 1 was forced, with\n"
        "equal numbers of both. All bots share one core; a busy machine makes every channel noisier."
    )
    head = ("channel", "setting", "misread", "bits per move", "bits per second")
    rows = [row(channel, kept) for channel, kept in zip(channels, samples, strict=True)]
    return [Table("Covert channels between two seats", notes, head, rows)]


def row(channel: Channel, samples: Sequence[Sample]) -> tuple[str, ...]:
    """Return the cells of a channel."""
    wrong, rate = mean(sample.each for sample in samples), mean(sample.things for sample in samples)
    bits = capacity(channel.alphabet, wrong)
    per_second = digits(bits * rate) if bits >= 0.01 else NOTHING
    return channel.title, channel.setting, f"{wrong:.1%}", f"{bits:.2f}", per_second


def capacity(alphabet: int, wrong: float) -> float:
    """Return the capacity, in bits per number, of a symmetric channel with this share of misread numbers.

    An error rate above guessing counts as 0 bits.
    """
    if wrong >= 1 - 1 / alphabet:
        return 0.0
    lost = wrong * math.log2(alphabet - 1) if wrong else 0.0
    return math.log2(alphabet) - entropy(wrong) - lost


def entropy(probability: float) -> float:
    """Return the entropy, in bits, of an event with this probability."""
    return -sum(part * math.log2(part) for part in (probability, 1 - probability) if part)
