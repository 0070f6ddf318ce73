"""Tables as Markdown, aligned so that they read in a terminal as well."""

import statistics
from collections.abc import Sequence
from typing import Final, NamedTuple

UNITS: Final = {"ns": 1e9, "µs": 1e6, "ms": 1e3, "s": 1.0}
NOTHING: Final = "–"
"""In a cell that has nothing to show."""


class Table(NamedTuple):
    """What one table of a subject shows."""

    title: str
    notes: str
    """What is compared with what, and how."""
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        lines = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = [" | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
        text.insert(1, " | ".join("-" * width for width in widths))
        return "\n".join((f"## {self.title}", "", self.notes, "", *(f"| {line} |" for line in text), ""))


def durations(low: float, middle: float, high: float) -> str:
    """Seconds as a table shows them: 1.07 µs (1.02–1.10)."""
    unit = next((unit for unit, factor in UNITS.items() if middle * factor < 1000), "s")
    low, middle, high = (seconds * UNITS[unit] for seconds in (low, middle, high))
    return f"{digits(middle)} {unit} ({digits(low)}–{digits(high)})"


def rates(low: float, middle: float, high: float, unit: str) -> str:
    """Seconds as a table shows how many there are in one: 19,040 deals/s (18,110–19,307)."""
    return f"{digits(1 / middle)} {unit} ({digits(1 / high)}–{digits(1 / low)})"


def digits(number: float) -> str:
    """At least three digits, whole numbers in groups of three: 1.23, 71.2, 712, 19,040."""
    places = 2 if abs(number) < 10 else 1 if abs(number) < 100 else 0
    return f"{number:,.{places}f}"


def quartiles(numbers: Sequence[float]) -> tuple[float, float, float]:
    """First quartile, median, third quartile."""
    if len(numbers) == 1:
        return (numbers[0],) * 3
    low, middle, high = statistics.quantiles(numbers, n=4, method="inclusive")
    return low, middle, high
