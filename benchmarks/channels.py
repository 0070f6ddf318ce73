"""Capacity of the covert channels between seats of one table, with and without real time."""

import math
from collections.abc import Sequence
from statistics import mean
from typing import Any, Final, NamedTuple

from benchmarks.child import Command, ours
from benchmarks.results import NOTHING, Table, digits, show_progress
from benchmarks.sides.harness import Sample

BRACKET: Final = {"limits": {"bracket": True}}
REAL_TIME: Final = {"without": ["clocks"]}
SURE: Final = 200e-6
"""Step between pauses, in seconds, that a quiet machine almost always decodes."""
BUDGET: Final = 0.2
"""Seconds per measurement."""
LONG: Final = 1.0
"""Seconds per measurement of a slow channel."""
FORCED: Final = "forced moves, by the time between two turns"
LOAD: Final = "load, both seats asked at once"
DEFAULT, TIMED, STOPPED = "default", "without the layer clocks", "stop bracket"


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


def delay(setting: str, alphabet: int, step: float, options: dict[str, Any], budget: float = BUDGET) -> Channel:
    """Return a channel that encodes each number as a multiple of `step` seconds."""
    title = f"delay: {alphabet} pauses, {step * 1000:g} ms apart"
    return Channel(title, setting, "delay", {"alphabet": alphabet, "step": step, **options}, budget)


CHANNELS: Final = (
    delay(TIMED, 2, SURE, REAL_TIME),
    delay(TIMED, 16, 0.005, REAL_TIME, LONG),
    delay(DEFAULT, 2, SURE, {}),
    delay(DEFAULT, 16, 0.005, {}, LONG),
    Channel(FORCED, TIMED, "forced", REAL_TIME, LONG),
    Channel(FORCED, DEFAULT, "forced", {}, LONG),
    Channel("cache", TIMED, "cache", REAL_TIME),
    Channel("cache", DEFAULT, "cache", {}),
    Channel("cache", STOPPED, "cache", BRACKET),
    Channel(LOAD, TIMED, "load", REAL_TIME, LONG),
    Channel(LOAD, DEFAULT, "load", {}, LONG),
    Channel(LOAD, STOPPED, "load", BRACKET, LONG),
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
