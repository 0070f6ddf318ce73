"""Charts for pages: numbers become paths on a square of 100 by 100, and a table of the same numbers.

`templates/_chart.html` draws one as SVG that fills whatever width there is, its texts as large as those around it.
"""

from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from typing import Final, NamedTuple, TypeVar

TICKS: Final = 5
"""About so many numbers stand along an axis."""
POINTS: Final = 240
"""At most so many points of a curve are drawn."""
ROWS: Final = 60
"""At most so many of them are in its table."""
STEPS: Final = 5
"""Colours of heat on either side of a half."""

Say = Callable[[float], str]
Value = TypeVar("Value")


class Tick(NamedTuple):
    """A number along an axis."""

    at: float
    """0 to 100."""
    text: str


class Axis(NamedTuple):
    """What one direction of a chart means."""

    label: str
    low: float
    high: float
    ticks: tuple[Tick, ...]

    def at(self, value: float) -> float:
        """Where a value is, 0 to 100 from the low end; what is beyond an end is at that end."""
        return round(100 * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low), 2)


class Shape(NamedTuple):
    """Something drawn."""

    kind: str
    """Its class: bar, line, band, dot, whisker, mark."""
    path: str


class Note(NamedTuple):
    """A word in the drawing, ending at the right."""

    y: float
    text: str


class Chart(NamedTuple):
    """A drawing, what it shows, and its numbers."""

    title: str
    says: str
    """A sentence for those who do not see it."""
    x: Axis
    y: Axis
    shapes: tuple[Shape, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[Note, ...] = ()


class Column(NamedTuple):
    """A bar of a histogram: from `low` to `high` along its axis."""

    low: float
    high: float
    size: int
    name: str


class Point(NamedTuple):
    """A value with its surroundings; both are itself where there are none."""

    x: float
    y: float
    low: float
    high: float


def whole(value: float) -> str:
    """A number without a fraction, with a real minus sign."""
    return f"{value:z,.0f}".replace("-", "−")


def decimal(value: float) -> str:
    """A number with at most two digits of a fraction."""
    return f"{value:z,.2f}".rstrip("0").rstrip(".").replace("-", "−")


def percent(value: float) -> str:
    """A part of 1 as a percentage."""
    return f"{value * 100:z,.1f} %".replace(".0 %", " %").replace("-", "−")


def axis(label: str, low: float, high: float, say: Say = decimal, least: float = 0.0) -> Axis:
    """An axis that begins and ends at round numbers, with round numbers between, `least` apart or more."""
    step = max(_round_step((high - low) / TICKS), least)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    last = max(last, first + 1)
    bare = Axis(label, first * step, last * step, ())
    return bare._replace(ticks=tuple(Tick(bare.at(n * step), say(n * step)) for n in range(first, last + 1)))


def exact(label: str, low: float, high: float, values: Sequence[float], say: Say) -> Axis:
    """An axis from `low` to `high` with these numbers along it."""
    bare = Axis(label, low, high, ())
    return bare._replace(ticks=tuple(Tick(bare.at(value), say(value)) for value in values if low <= value <= high))


def histogram(title: str, says: str, x: Axis, columns: Sequence[Column], what: tuple[str, str]) -> Chart:
    """How often; `what` names the values and their number."""
    y = axis(what[1], 0, max(column.size for column in columns), whole, 1)
    bars = tuple(Shape("bar", _bar(x, y, column)) for column in columns if column.size)
    rows = tuple((column.name, whole(column.size)) for column in columns if column.size)
    return Chart(title, says, x, y, bars, what, rows)


def curve(title: str, says: str, x: Axis, y: Axis, points: Sequence[Point], what: tuple[str, str, str]) -> Chart:
    """A line with a band around it."""
    drawn = thinned(points, POINTS)
    upper = [(x.at(point.x), 100 - y.at(point.high)) for point in drawn]
    lower = [(x.at(point.x), 100 - y.at(point.low)) for point in reversed(drawn)]
    shapes = (
        Shape("band", f"{_line([*upper, *lower])}Z"),
        Shape("line", _line([(x.at(point.x), 100 - y.at(point.y)) for point in drawn])),
    )
    rows = [
        (whole(point.x), decimal(point.y), f"{decimal(point.low)} to {decimal(point.high)}")
        for point in thinned(points, ROWS)
    ]
    return Chart(title, says, x, y, shapes, what, tuple(rows))


def against(title: str, says: str, x: Axis, y: Axis, points: Sequence[Point], columns: tuple[str, ...],
            rows: Sequence[tuple[str, ...]]) -> Chart:  # fmt: skip
    """Dots with whiskers, beside the diagonal on which both axes say the same."""
    ends = (max(x.low, y.low), min(x.high, y.high))
    diagonal = Shape("mark", _line([(x.at(end), 100 - y.at(end)) for end in ends]))
    return Chart(title, says, x, y, (diagonal, *_dots(x, y, points)), columns, tuple(rows))


def walk(title: str, says: str, x: Axis, y: Axis, values: Sequence[float], bounds: Sequence[tuple[float, str]],
         what: tuple[str, str]) -> Chart:  # fmt: skip
    """A line from 0 on that ends at one of two bounds, each with its name."""
    points = [(0.0, 0.0), *((float(number), value) for number, value in enumerate(values, 1))]
    drawn = [(x.at(number), 100 - y.at(value)) for number, value in thinned(points, POINTS)]
    marks = [Shape("mark", _line([(0, 100 - y.at(bound)), (100, 100 - y.at(bound))])) for bound, _ in bounds]
    rows = tuple((whole(number), decimal(value)) for number, value in thinned(points, ROWS))
    shapes = (*marks, Shape("line", _line(drawn)), Shape("dot", _line([drawn[-1], drawn[-1]])))
    notes = tuple(Note(100 - y.at(bound), text) for bound, text in bounds)
    return Chart(title, says, x, y, shapes, what, rows, notes)


def lead(mean: float, interval: tuple[float, float], wanted: float) -> Chart:
    """A lead with its interval on one line, with marks at none and at the one that was asked about."""
    x = axis("Lead, in percent of the most possible", min(0, interval[0]), max(wanted, interval[1]), percent)
    y = Axis("", 0, 1, ())
    marks = [Shape("mark", _line([(x.at(value), 0), (x.at(value), 100)])) for value in (0, wanted)]
    whisker = Shape("whisker", _line([(x.at(end), 50) for end in interval]))
    dot = Shape("dot", _line([(x.at(mean), 50)] * 2))
    says = (
        f"{percent(mean)}, and truly {percent(interval[0])} to {percent(interval[1])}; {percent(wanted)} would matter."
    )
    row = (percent(mean), " to ".join(map(percent, interval)), percent(wanted))
    return Chart("Lead", says, x, y, (*marks, whisker, dot), ("Lead", "Interval", "Asked about"), (row,))


def times(label: str, low: float, high: float, say: Say) -> Axis:
    """An axis of the powers of ten from `low` to `high`, which are logarithms."""
    first, last = floor(low), max(ceil(high), floor(low) + 1)
    return exact(label, first, last, range(first, last + 1), lambda power: say(10**power))


def thinned(values: Sequence[Value], most: int) -> list[Value]:
    """At most so many of these, evenly, the last one among them."""
    if len(values) <= most:
        return list(values)
    return [values[(number + 1) * len(values) // most - 1] for number in range(most)]


def heat(share: float) -> int:
    """The step of colour that shows a share of match points: negative below a half, 0 about it, positive above."""
    return round((share - 0.5) * 2 * STEPS)


def _round_step(wanted: float) -> float:
    """The next round number: 1, 2 or 5 times a power of ten."""
    if wanted <= 0:
        return 1.0
    power: float = 10 ** floor(log10(wanted))
    return next(power * unit for unit in (1, 2, 5, 10) if power * unit >= wanted * (1 - 1e-9))


def _bar(x: Axis, y: Axis, column: Column) -> str:
    gap = (x.at(column.high) - x.at(column.low)) * 0.06
    left, right = x.at(column.low) + gap, x.at(column.high) - gap
    return f"M{left:.2f} 100V{100 - y.at(column.size):.2f}H{right:.2f}V100Z"


def _dots(x: Axis, y: Axis, points: Sequence[Point]) -> list[Shape]:
    shapes = []
    for point in points:
        at, middle = x.at(point.x), 100 - y.at(point.y)
        shapes.append(Shape("whisker", _line([(at, 100 - y.at(point.low)), (at, 100 - y.at(point.high))])))
        shapes.append(Shape("dot", _line([(at, middle), (at, middle)])))
    return shapes


def _line(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)
