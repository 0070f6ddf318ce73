"""Engines side by side: rows that every side measures in turn, ratios of what ran moments apart, targets."""

import statistics
import sys
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.child import Command, Side
from benchmarks.sides.measuring import Sample
from benchmarks.table import NOTHING, digits, durations, quartiles, rates


class Ratio(NamedTuple):
    """How we stand to another side."""

    factor: float
    speed: bool = False
    """Whether it says how many times as fast we are, or else how many times as long we take."""

    def __str__(self) -> str:
        return f"{self.factor:.2f}× {'speed' if self.speed else 'time'}"

    def reaches(self, target: "Ratio") -> bool:
        """Whether it is as good as the target, which says the same thing."""
        return self.factor >= target.factor if self.speed else self.factor <= target.factor


class Row(NamedTuple):
    """One thing that is measured on every side that can do it."""

    title: str
    commands: Sequence[Command | None]
    """One for each side, ours first; None where a side has nothing like it."""
    target: Ratio | None = None
    """Of the second side."""
    rate: str = ""
    """The unit of how many there are in a second, where that is shown instead of how long one takes."""


class Result(NamedTuple):
    """The samples of a row, a list for each side with one for each round; empty where a side could not."""

    row: Row
    samples: Sequence[list[Sample]]

    def cell(self, side: int) -> str:
        """Median and quartiles of a side."""
        if not self.samples[side]:
            return NOTHING
        found = quartiles([sample.each for sample in self.samples[side]])
        return rates(*found, self.row.rate) if self.row.rate else durations(*found)

    def ratio(self, side: int) -> str:
        """How we stand to a side."""
        return str(self._ratio(side) or NOTHING)

    def reached(self) -> tuple[str, str]:
        """The target, and whether it was reached."""
        ratio, target = self._ratio(1), self.row.target
        if not target:
            return NOTHING, NOTHING
        reached = ("yes" if ratio.reaches(target) else "no") if ratio else NOTHING
        return f"{'≥' if target.speed else '≤'} {target}", reached

    def _ratio(self, side: int) -> Ratio | None:
        """The median of the ratios within each round."""
        pairs = zip(self.samples[0], self.samples[side], strict=False)  # a side that died has fewer
        times = [mine.each / theirs.each for mine, theirs in pairs]
        if not times:
            return None
        speed = bool(self.row.rate or (self.row.target and self.row.target.speed))
        return Ratio(1 / statistics.median(times) if speed else statistics.median(times), speed)

    def things(self, side: int) -> str:
        """How many there are in a playout, on the average."""
        samples = self.samples[side]
        return digits(statistics.mean(sample.things for sample in samples)) if samples else NOTHING


def measure(rows: Sequence[Row], sides: Sequence[Side], rounds: int, budget: float) -> list[Result]:
    """Every row on every side in turn, round by round. A first round, which is not kept, warms up."""
    results = [Result(row, [[] for _ in sides]) for row in rows]
    for number in range(rounds + 1):
        tell(f"round {number} of {rounds}")
        for row, samples in results:
            for side, command, kept in zip(sides, row.commands, samples, strict=True):
                sample = side.measure(command, number, budget)
                if sample and number:
                    kept.append(sample)
    tell("")
    return results


def tell(progress: str) -> None:
    """Write over the last line of somebody who watches."""
    if sys.stderr.isatty():
        print(f"\r{progress}\033[K", end="", file=sys.stderr, flush=True)
