"""Charts: SVG paths on a square of 100 by 100, and a table of the same numbers.

`templates/_chart.html` draws a chart as SVG that fills the available width, with text in the size of the page.
"""

from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from typing import Final, NamedTuple, TypeVar

TICKS: Final = 5
"""Approximate number of ticks on an axis."""
POINTS: Final = 240
"""Maximum number of points of a curve."""
ROWS: Final = 60
"""Maximum number of rows of a curve's table."""
STEPS: Final = 5
"""Number of heat colours on each side of one half."""

Say = Callable[[float], str]
Value = TypeVar("Value")


class Tick(NamedTuple):
    """A labelled position on an axis."""

    at: float
    """Position, 0 to 100."""
    text: str


class Axis(NamedTuple):
    """An axis of a chart."""

    label: str
    low: float
    high: float
    ticks: tuple[Tick, ...]

    def at(self, value: float) -> float:
        """Return the position of a value, 0 to 100 from the low end; values beyond an end are clamped to it."""
        return round(100 * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low), 2)


class Shape(NamedTuple):
    """A path of a chart."""

    kind: str
    """CSS class: bar, line, band, dot, whisker or mark."""
    path: str


class Note(NamedTuple):
    """A right-aligned text in the drawing."""

    y: float
    text: str


class Chart(NamedTuple):
    """A drawing, its description, and its data as a table."""

    title: str
    says: str
    """Description for screen readers."""
    x: Axis
    y: Axis
    shapes: tuple[Shape, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[Note, ...] = ()


class Column(NamedTuple):
    """A bar of a histogram, from `low` to `high` on its axis."""

    low: float
    high: float
    size: int
    name: str


class Point(NamedTuple):
    """A value with an interval; without one, both ends equal the value."""

    x: float
    y: float
    low: float
    high: float


def whole(value: float) -> str:
    """Format a number without decimals, with a typographic minus sign."""
    return f"{value:z,.0f}".replace("-", "−")


def decimal(value: float) -> str:
    """Format a number with at most two decimals."""
    return f"{value:z,.2f}".rstrip("0").rstrip(".").replace("-", "−")


def percent(value: float) -> str:
    """Format a fraction of 1 as a percentage."""
    return f"{value * 100:z,.1f} %".replace(".0 %", " %").replace("-", "−")


def axis(label: str, low: float, high: float, say: Say = decimal, least: float = 0.0) -> Axis:
    """Return an axis with ticks at round numbers, at least `least` apart, that starts and ends at a tick."""
    step = max(_round_step((high - low) / TICKS), least)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    last = max(last, first + 1)
    bare = Axis(label, first * step, last * step, ())
    return bare._replace(ticks=tuple(Tick(bare.at(n * step), say(n * step)) for n in range(first, last + 1)))


def exact(label: str, low: float, high: float, values: Sequence[float], say: Say) -> Axis:
    """Return an axis from `low` to `high` with ticks at the given values."""
    bare = Axis(label, low, high, ())
    return bare._replace(ticks=tuple(Tick(bare.at(value), say(value)) for value in values if low <= value <= high))


def histogram(title: str, says: str, x: Axis, columns: Sequence[Column], what: tuple[str, str]) -> Chart:
    """Return a histogram; `what` labels the values and their counts."""
    y = axis(what[1], 0, max(column.size for column in columns), whole, 1)
    bars = tuple(Shape("bar", _bar(x, y, column)) for column in columns if column.size)
    rows = tuple((column.name, whole(column.size)) for column in columns if column.size)
    return Chart(title, says, x, y, bars, what, rows)


def curve(title: str, says: str, x: Axis, y: Axis, points: Sequence[Point], what: tuple[str, str, str]) -> Chart:
    """Return a line with a band around it."""
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
    """Return dots with whiskers, and the diagonal of equal values."""
    ends = (max(x.low, y.low), min(x.high, y.high))
    diagonal = Shape("mark", _line([(x.at(end), 100 - y.at(end)) for end in ends]))
    return Chart(title, says, x, y, (diagonal, *_dots(x, y, points)), columns, tuple(rows))


def walk(title: str, says: str, x: Axis, y: Axis, values: Sequence[float], bounds: Sequence[tuple[float, str]],
         what: tuple[str, str]) -> Chart:  # fmt: skip
    """Return a line that starts at 0 and ends at one of two labelled bounds."""
    points = [(0.0, 0.0), *((float(number), value) for number, value in enumerate(values, 1))]
    drawn = [(x.at(number), 100 - y.at(value)) for number, value in thinned(points, POINTS)]
    marks = [Shape("mark", _line([(0, 100 - y.at(bound)), (100, 100 - y.at(bound))])) for bound, _ in bounds]
    rows = tuple((whole(number), decimal(value)) for number, value in thinned(points, ROWS))
    shapes = (*marks, Shape("line", _line(drawn)), Shape("dot", _line([drawn[-1], drawn[-1]])))
    notes = tuple(Note(100 - y.at(bound), text) for bound, text in bounds)
    return Chart(title, says, x, y, shapes, what, rows, notes)


def lead(mean: float, interval: tuple[float, float], wanted: float) -> Chart:
    """Return a lead with its interval, and marks at 0 and at the difference to detect (`wanted`)."""
    x = axis("Lead, in percent of the maximum", min(0, interval[0]), max(wanted, interval[1]), percent)
    y = Axis("", 0, 1, ())
    marks = [Shape("mark", _line([(x.at(value), 0), (x.at(value), 100)])) for value in (0, wanted)]
    whisker = Shape("whisker", _line([(x.at(end), 50) for end in interval]))
    dot = Shape("dot", _line([(x.at(mean), 50)] * 2))
    says = (
        f"{percent(mean)}, 95 % interval {percent(interval[0])} to {percent(interval[1])}; to detect {percent(wanted)}."
    )
    row = (percent(mean), " to ".join(map(percent, interval)), percent(wanted))
    return Chart("Lead", says, x, y, (*marks, whisker, dot), ("Lead", "Interval", "To detect"), (row,))


def times(label: str, low: float, high: float, say: Say) -> Axis:
    """Return a logarithmic axis with ticks at powers of ten; `low` and `high` are base-10 logarithms."""
    first, last = floor(low), max(ceil(high), floor(low) + 1)
    return exact(label, first, last, range(first, last + 1), lambda power: say(10**power))


def thinned(values: Sequence[Value], most: int) -> list[Value]:
    """Return at most `most` of the values, evenly spaced, including the last."""
    if len(values) <= most:
        return list(values)
    return [values[(number + 1) * len(values) // most - 1] for number in range(most)]


def heat(share: float) -> int:
    """Return the colour step of a share of match points: negative below one half, 0 around it, positive above."""
    return round((share - 0.5) * 2 * STEPS)


def _round_step(wanted: float) -> float:
    """Return the smallest round number (1, 2 or 5 times a power of ten) that is at least `wanted`."""
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
