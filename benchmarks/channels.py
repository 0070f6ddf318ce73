"""What seats that are in league can tell each other by time, cache and load, and what it takes to stop them."""

import math
from collections.abc import Sequence
from statistics import mean
from typing import Any, Final, NamedTuple

from benchmarks.child import Command, ours
from benchmarks.duels import tell
from benchmarks.sides.measuring import Sample
from benchmarks.table import NOTHING, Table, digits

GRID: Final = 0.02
"""Seconds of the delivery grid that is measured."""
BRACKET: Final = {"bracket": True}
ON_GRID: Final = {"grid": GRID}
FINE: Final = 20e-6
"""Seconds between two pauses that a quiet machine mostly tells apart."""
SURE: Final = 200e-6
"""Seconds between two that it nearly always tells apart."""
BUDGET: Final = 0.2
"""Seconds of one measurement, but for those on the grid, where a number takes two of its steps."""


class Way(NamedTuple):
    """A row: how numbers are told, and under which limits."""

    title: str
    setting: str
    measure: str
    options: dict[str, Any]
    budget: float = BUDGET

    @property
    def numbers(self) -> int:
        """How many different numbers are told."""
        number: int = self.options.get("numbers", 2)
        return number


def delay(setting: str, numbers: int, step: float, limits: dict[str, Any], budget: float = BUDGET, **more: Any) -> Way:
    """Told by pauses that are multiples of a step."""
    title = f"delay: {numbers} pauses, {step * 1000:g} ms apart"
    return Way(title, setting, "delay", {"numbers": numbers, "step": step, "limits": limits, **more}, budget)


LONG: Final = 1.0
WAYS: Final = (
    delay("default", 2, FINE, {}),
    delay("default", 2, SURE, {}),
    delay("default", 16, SURE, {}),
    delay("default", 16, 0.005, {}, LONG),
    delay("a seat between thinks up to 5 ms", 2, SURE, {}, between=0.005),
    delay("a seat between thinks up to 5 ms", 4, 0.005, {}, LONG, between=0.005),
    delay("stop bracket", 2, FINE, BRACKET),
    delay("stop bracket", 16, SURE, BRACKET),
    delay(f"delivery grid of {GRID * 1000:g} ms", 2, GRID / 2, ON_GRID, LONG),
    delay(f"delivery grid of {GRID * 1000:g} ms", 4, GRID, ON_GRID, LONG),
    Way("cache", "default", "cache", {}),
    Way("cache", "stop bracket", "cache", {"limits": BRACKET}),
    Way("cache", f"delivery grid of {GRID * 1000:g} ms", "cache", {"limits": ON_GRID}, LONG),
    Way("load, both asked at once", "default", "load", {}, LONG),
    Way("load, both asked at once", "stop bracket", "load", {"limits": BRACKET}, LONG),
    Way("load, both asked at once", f"delivery grid of {GRID * 1000:g} ms", "load", {"limits": ON_GRID}, LONG),
)


def run(rounds: int, ways: Sequence[Way] = WAYS, shorter: float = 1.0) -> list[Table]:
    """The table of this subject. Raises RuntimeError where no bot can be run here."""
    heard: dict[int, list[Sample]] = {}
    with ours("whispers") as side:
        for number in range(1, rounds + 1):
            tell(f"round {number} of {rounds}")
            for place, way in enumerate(ways):
                command = Command(way.measure, "", way.options)
                sample = side.measure(command, number, way.budget * shorter)
                heard.setdefault(place, []).extend([sample] if sample else [])
        tell("")
        if side.trouble:
            raise RuntimeError(f"the cage {side.trouble}")
    notes = (
        f"Seat 0 tells seat 2 random numbers, one with each move; means of {rounds} rounds. Bits are what a code that\n"
        "corrects errors can make of it. All bots share one core; on a busy machine less is understood."
    )
    head = ("told by", "setting", "misread", "bits a move", "bits a second")
    return [Table("Whispers between two seats", notes, head, [row(way, heard[at]) for at, way in enumerate(ways)])]


def row(way: Way, samples: Sequence[Sample]) -> tuple[str, ...]:
    """As the table shows it."""
    wrong, rate = mean(sample.each for sample in samples), mean(sample.things for sample in samples)
    bits = capacity(way.numbers, wrong)
    told = digits(bits * rate) if bits >= 0.01 else NOTHING
    return way.title, way.setting, f"{wrong:.1%}", f"{bits:.2f}", told


def capacity(numbers: int, wrong: float) -> float:
    """Bits in each of so many numbers, where each is misread so often, as any of the others; no less than none."""
    if wrong >= 1 - 1 / numbers:
        return 0.0
    lost = wrong * math.log2(numbers - 1) if wrong else 0.0
    return math.log2(numbers) - entropy(wrong) - lost


def entropy(share: float) -> float:
    """Bits of an event that happens so often."""
    return -sum(part * math.log2(part) for part in (share, 1 - share) if part)
