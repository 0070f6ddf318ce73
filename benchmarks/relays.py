"""Bits that a bot tells its own next match on the same board by any means of timing."""

import math
from collections import Counter
from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import Any, Final

from benchmarks.child import Command, ours
from benchmarks.results import Table, reached

SECONDS: Final = 17.0
"""Seconds of matches per round, for a hundred of them on a quiet core."""
COMPARED: Final = 6.0
"""Seconds of matches with real time, to show that the bots would use it."""
MOST: Final = 0.1
"""Maximum number of bits a match."""
BINS: Final = 4
"""Number of equal parts into which what a bot senses is divided."""
SHUFFLES: Final = 400
SENSES: Final = {
    "monotonic": "clocks of Python",
    "gettimeofday": "clocks of the C library",
    "system call": "clocks by a system call",
    "kernel": "clocks of the kernel's mapped functions",
    "deadline": "a sleep until a moment that has passed",
    "interrupts": "the timer's interrupts, by gaps in its CPU time",
    "start": "CPU time of the process before `on_start`",
    "cache": "CPU time for reading code that all bots share",
}
"""Means of timing by the names that the bot uses."""

Heard = tuple[int, Sequence[float]]
"""A bit that was sent, and what each sense of the next match showed."""


def run(rounds: int) -> list[Table]:
    """Play matches and return one table. Raises `RuntimeError` if the cage cannot run bots on this machine."""
    heard: list[Heard] = []
    with ours("relays") as side:
        for number in range(rounds):
            heard += side.ask(Command("", "", {}), number, SECONDS) or []
        compared = side.ask(Command("", "", {"without": ["clocks"]}), rounds, COMPARED)
        if side.trouble:
            raise RuntimeError(f"the cage {side.trouble}")
    found = [(information(heard, sense), information(compared, sense)) for sense in range(len(SENSES))]
    rows = [
        (
            title,
            *(f"{each:.2f}" for each in (bits, timed, chance)),
            f"≤ {MOST}",
            reached(not missed(bits, chance)),
        )
        for title, ((bits, chance), (timed, _)) in zip(SENSES.values(), found, strict=True)
    ]
    notes = (
        "In `on_end` a bot sends one random bit by the clock, by interrupts and by the cache; in `on_start` of the\n"
        "next match of the board it senses them. Suitability for four, rotations of one board, "
        f"{len(heard)} pairs of matches.\nBits are the mutual information without its bias. Chance is what 1 of 20 "
        "shuffled samples exceeds; a target is missed\nif the bits exceed it by more than that."
    )
    head = ("by", "bits per match", "without the layer clocks", "chance", "target", "reached")
    return [Table("Covert channel to the next match", notes, head, rows, any(missed(*caged) for caged, _ in found))]


def missed(bits: float, chance: float) -> bool:
    """Return whether the bits exceed the target by more than chance does."""
    return bits - chance > MOST


def information(heard: Sequence[Heard], sense: int) -> tuple[float, float]:
    """Return the bits that a sense tells, minus the mean of shuffled samples, and how far chance exceeds that mean."""
    sent, parts = [bit for bit, _ in heard], parted([senses[sense] for _, senses in heard])
    rng = Random(1)
    chance = sorted(mutual(rng.sample(sent, len(sent)), parts) for _ in range(SHUFFLES))
    mean = fmean(chance)
    return max(mutual(sent, parts) - mean, 0.0), chance[int(0.95 * SHUFFLES)] - mean


def parted(values: Sequence[float]) -> list[int]:
    """Return for each value the number of the part of the sorted values in which it lies."""
    ordered = sorted(values)
    bounds = [ordered[len(ordered) * part // BINS] for part in range(1, BINS)]
    return [sum(value >= bound for bound in bounds) for value in values]


def mutual(sent: Sequence[Any], heard: Sequence[Any]) -> float:
    """Return the mutual information of two samples in bits."""
    both, one, other, count = Counter(zip(sent, heard, strict=True)), Counter(sent), Counter(heard), len(sent)
    return sum(n / count * math.log2(n * count / (one[bit] * other[part])) for (bit, part), n in both.items())
