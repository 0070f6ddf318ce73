"""Measurements on several sides, ratios between them, and the Markdown tables that show them."""

import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from benchmarks.child import Command, Side
from benchmarks.sides.harness import Sample

UNITS: Final = {"ns": 1e9, "µs": 1e6, "ms": 1e3, "s": 1.0}
NOTHING: Final = "–"
"""Content of an empty cell."""
T = TypeVar("T")


class Ratio(NamedTuple):
    """Our result relative to that of another side."""

    factor: float
    speed: bool = False
    """Whether the factor is a speed (higher is better) rather than a time (lower is better)."""

    def __str__(self) -> str:
        return f"{self.factor:.2f}× {'speed' if self.speed else 'time'}"

    def reaches(self, target: "Ratio") -> bool:
        """Return whether the ratio is at least as good as a target of the same kind."""
        return self.factor >= target.factor if self.speed else self.factor <= target.factor


class Row(NamedTuple):
    """A measurement to make on every side that supports it."""

    title: str
    commands: Sequence[Command | None]
    """One command per side, ours first; None if a side has no equivalent."""
    target: Ratio | None = None
    """Target relative to the second side."""
    rate: str = ""
    """Unit for showing a rate per second instead of a duration; empty for a duration."""


class Result(NamedTuple):
    """Samples of a row: a list per side with one sample per round; empty if the side did not measure."""

    row: Row
    samples: Sequence[list[Sample]]

    def cell(self, side: int) -> str:
        """Return the median and quartiles of a side."""
        if not self.samples[side]:
            return NOTHING
        found = quartiles([sample.each for sample in self.samples[side]])
        return rates(*found, self.row.rate) if self.row.rate else durations(*found)

    def ratio(self, side: int) -> str:
        """Return our ratio to a side."""
        return str(self._ratio(side) or NOTHING)

    def reached(self) -> tuple[str, str]:
        """Return the target and whether it was reached."""
        ratio, target = self._ratio(1), self.row.target
        if not target:
            return NOTHING, NOTHING
        return f"{'≥' if target.speed else '≤'} {target}", reached(ratio.reaches(target)) if ratio else NOTHING

    def beside(self) -> tuple[str, ...]:
        """Return the cells of a row: title, our side, the second, ratio, target and whether it was reached."""
        return self.row.title, self.cell(0), self.cell(1), self.ratio(1), *self.reached()

    def _ratio(self, side: int) -> Ratio | None:
        """Return the median of the ratios within each round."""
        pairs = zip(self.samples[0], self.samples[side], strict=False)  # a side that died has fewer samples
        times = [mine.each / theirs.each for mine, theirs in pairs]
        if not times:
            return None
        speed = bool(self.row.rate or (self.row.target and self.row.target.speed))
        return Ratio(1 / statistics.median(times) if speed else statistics.median(times), speed)

    def things(self, side: int) -> str:
        """Return the mean number of things per playout."""
        samples = self.samples[side]
        return digits(statistics.mean(sample.things for sample in samples)) if samples else NOTHING


def measure(rows: Sequence[Row], sides: Sequence[Side], rounds: int, budget: float) -> list[Result]:
    """Measure every row on each side in turn, round by round. The first round is a warm-up and is discarded."""
    results = [Result(row, [[] for _ in sides]) for row in rows]
    for number in each_round(rounds, warm_up=True):
        for row, samples in results:
            for side, command, kept in zip(sides, row.commands, samples, strict=True):
                sample = side.measure(command, number, budget)
                if sample and number:
                    kept.append(sample)
    return results


def in_rounds(rounds: int, measure: Callable[[int], T], *, warm_up: bool = False) -> list[T]:
    """Return the measurement of each round. The warm-up, if any, is round 0 and is discarded."""
    taken = [measure(number) for number in each_round(rounds, warm_up=warm_up)]
    return taken[1:] if warm_up else taken


def each_round(rounds: int, *, warm_up: bool = False) -> Iterator[int]:
    """Yield the numbers of the rounds from 1, after 0 for the warm-up, and show progress."""
    for number in range(0 if warm_up else 1, rounds + 1):
        show_progress(f"round {number} of {rounds}")
        yield number
    show_progress("")


def show_progress(progress: str) -> None:
    """Overwrite the progress line if stderr is a terminal."""
    if sys.stderr.isatty():
        print(f"\r{progress}\033[K", end="", file=sys.stderr, flush=True)


class Table(NamedTuple):
    """A table of a subject."""

    title: str
    notes: str
    """Explanation of the comparison and its method."""
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    missed: bool = False
    """Whether a target that depends on no other machine was missed."""

    def __str__(self) -> str:
        lines = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = [" | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
        text.insert(1, " | ".join("-" * width for width in widths))
        return "\n".join((f"## {self.title}", "", self.notes, "", *(f"| {line} |" for line in text), ""))


def durations(low: float, middle: float, high: float) -> str:
    """Format seconds: 1.07 µs (1.02–1.10)."""
    unit = next((unit for unit, factor in UNITS.items() if middle * factor < 1000), "s")
    low, middle, high = (seconds * UNITS[unit] for seconds in (low, middle, high))
    return f"{digits(middle)} {unit} ({digits(low)}–{digits(high)})"


def rates(low: float, middle: float, high: float, unit: str) -> str:
    """Format seconds per thing as things per second: 19,040 deals/s (18,110–19,307)."""
    return f"{digits(1 / middle)} {unit} ({digits(1 / high)}–{digits(1 / low)})"


def digits(number: float) -> str:
    """Format with at least three digits and thousands separators: 1.23, 71.2, 712, 19,040."""
    places = 2 if abs(number) < 10 else 1 if abs(number) < 100 else 0
    return f"{number:,.{places}f}"


def reached(reached: bool) -> str:
    """Return the cell that says whether a target was reached."""
    return "yes" if reached else "no"


def at_least(ratio: float, goal: float) -> tuple[str, str, str]:
    """Return the cells of a ratio, its target and whether it was reached."""
    return f"{digits(ratio)}×", f"≥ {goal:g}×", reached(ratio >= goal)


def at_most(ratio: float, goal: float) -> tuple[str, str, str]:
    """Return the cells of a ratio, its target and whether it was reached."""
    return f"{digits(ratio)}×", f"≤ {goal:g}×", reached(ratio <= goal)


def quartiles(numbers: Sequence[float]) -> tuple[float, float, float]:
    """Return the first quartile, the median and the third quartile."""
    if len(numbers) == 1:
        return (numbers[0],) * 3
    low, middle, high = statistics.quantiles(numbers, n=4, method="inclusive")
    return low, middle, high
