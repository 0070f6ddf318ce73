"""Charts: SVG paths on a square of 100 by 100, a caption, and a table of the same numbers.

There are five kinds of drawing, and every page uses these: `bars` count, `curve` follows values along an axis, `dots`
sets two values against each other, `interval` shows one estimate (in a table column, the macros `whisker` and
`rating_bar` do), and `heat` colours the cells of a crosstable, which also hold the number. The caption says what a band
or whisker stands for.

`templates/_chart.html` draws a chart as SVG that fills the available width, with text in the size of the page, and
`static/chart.js` shows the row of the table that is nearest to the pointer.
"""

from collections.abc import Callable, Sequence
from math import ceil, floor, log10
from typing import Final, NamedTuple, TypeVar

from arena.words import _, spoken

TICKS: Final = 5
"""Approximate number of ticks on an axis."""
POINTS: Final = 160
"""Maximum number of points of a line, and of the rows of its table."""
APART: Final = 7.0
"""Distance between the names of two lines below which the second is left out."""
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
    """A text at the left end of a line or bound."""

    kind: str
    """CSS class: name (of a line) or bound."""
    x: float
    y: float
    text: str


class Spot(NamedTuple):
    """The place of a table's row in the drawing, 0 to 100 from the upper left corner."""

    x: float
    y: float


class Row(NamedTuple):
    """A row of the table of a chart."""

    spot: Spot
    cells: tuple[str, ...]


class Chart(NamedTuple):
    """A drawing, its description, and its data as a table."""

    title: str
    says: str
    """Description for screen readers."""
    caption: str
    """What is drawn, and what its band or whiskers stand for."""
    x: Axis
    y: Axis
    shapes: tuple[Shape, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    """Rows from left to right."""
    notes: tuple[Note, ...] = ()


class Column(NamedTuple):
    """A bar, from `low` to `high` on its axis."""

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
    cells: tuple[str, ...] = ()
    """Row of the table."""


class Line(NamedTuple):
    """Consecutive points of a curve, from left to right."""

    name: str
    points: Sequence[Point]


class Bound(NamedTuple):
    """A value that a curve may reach."""

    value: float
    name: str


def whole(value: float) -> str:
    """Format a number without decimals, with a typographic minus sign."""
    return f"{value:z,.0f}".replace("-", "−").translate(spoken().marks)


def decimal(value: float) -> str:
    """Format a number with at most two decimals."""
    return f"{value:z,.2f}".rstrip("0").rstrip(".").replace("-", "−").translate(spoken().marks)


def percent(value: float) -> str:
    """Format a fraction of 1 as a percentage."""
    shown = f"{value * 100:z,.1f}".removesuffix(".0").replace("-", "−")
    return _("%(number)s %%", number=shown.translate(spoken().marks))


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


def ticks(axis: Axis) -> list[float]:
    """Return the values at the ticks of an axis."""
    return [axis.low + tick.at / 100 * (axis.high - axis.low) for tick in axis.ticks]


def bars(title: str, says: str, caption: str, x: Axis, columns: Sequence[Column], what: tuple[str, str]) -> Chart:
    """Return a histogram; `what` labels the values and their counts."""
    y = axis(what[1], 0, max(column.size for column in columns), whole, 1)
    drawn = [column for column in columns if column.size]
    rows = (
        Row(_spot(x, y, (column.low + column.high) / 2, column.size), (column.name, whole(column.size)))
        for column in drawn
    )
    return Chart(title, says, caption, x, y, tuple(Shape("bar", _bar(x, y, one)) for one in drawn), what, tuple(rows))


def curve(title: str, says: str, caption: str, x: Axis, y: Axis, lines: Sequence[Line], columns: tuple[str, ...],
          bounds: Sequence[Bound] = ()) -> Chart:  # fmt: skip
    """Return lines that follow each other along the axis, each with a band or whisker around it and a dot at its end.

    Vertical marks with names separate several lines; horizontal marks show the bounds.
    """
    thin = [line._replace(points=thinned(line.points, max(2, POINTS // len(lines)))) for line in lines]
    marks = [Shape("mark", _line([(0, 100 - y.at(bound.value)), (100, 100 - y.at(bound.value))])) for bound in bounds]
    marks += [Shape("mark", f"M{x.at(line.points[0].x):.2f} 0V100") for line in thin[1:]]
    shapes = [shape for line in thin for shape in _lined(x, y, line)]
    rows = [Row(_spot(x, y, point.x, point.y), point.cells) for line in thin for point in line.points]
    notes = [Note("bound", 0, 100 - y.at(bound.value), bound.name) for bound in bounds]
    notes += _names(x, thin) if len(thin) > 1 else []
    return Chart(title, says, caption, x, y, (*marks, *shapes), columns, tuple(rows), tuple(notes))


def dots(title: str, says: str, caption: str, x: Axis, y: Axis, points: Sequence[Point],
         columns: tuple[str, ...]) -> Chart:  # fmt: skip
    """Return dots with whiskers, and the diagonal of equal values."""
    ends = (max(x.low, y.low), min(x.high, y.high))
    diagonal = Shape("mark", _line([(x.at(end), 100 - y.at(end)) for end in ends]))
    rows = tuple(Row(_spot(x, y, point.x, point.y), point.cells) for point in points)
    return Chart(title, says, caption, x, y, (diagonal, *_dots(x, y, points)), columns, rows)


def interval(title: str, says: str, caption: str, x: Axis, point: Point, marks: Sequence[float],
             columns: tuple[str, ...]) -> Chart:  # fmt: skip
    """Return an estimate with its interval from left to right: `x` of the point is its value. Marks are vertical."""
    y = Axis("", 0, 1, ())
    lines = [Shape("mark", _line([(x.at(value), 0), (x.at(value), 100)])) for value in marks]
    whisker = Shape("whisker", _line([(x.at(end), 50) for end in (point.low, point.high)]))
    dot = Shape("dot", _line([(x.at(point.x), 50)] * 2))
    row = Row(Spot(x.at(point.x), 50), point.cells)
    return Chart(title, says, caption, x, y, (*lines, whisker, dot), columns, (row,))


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


def _spot(x: Axis, y: Axis, at: float, value: float) -> Spot:
    return Spot(x.at(at), round(100 - y.at(value), 2))


def _lined(x: Axis, y: Axis, line: Line) -> list[Shape]:
    """Return the band, the line and its last dot; a single point has a whisker."""
    if len(line.points) == 1:
        return _dots(x, y, line.points)
    middle = [(x.at(point.x), 100 - y.at(point.y)) for point in line.points]
    upper = [(x.at(point.x), 100 - y.at(point.high)) for point in line.points]
    lower = [(x.at(point.x), 100 - y.at(point.low)) for point in reversed(line.points)]
    band = [Shape("band", f"{_line([*upper, *lower])}Z")] if any(one.low < one.high for one in line.points) else []
    return [*band, Shape("line", _line(middle)), Shape("dot", _line([middle[-1]] * 2))]


def _names(x: Axis, lines: Sequence[Line]) -> list[Note]:
    """Return the names of the lines at their first points, without those that would overlap another."""
    notes: list[Note] = []
    for line in reversed(lines):
        at = x.at(line.points[0].x)
        if not notes or notes[-1].x - at >= APART:
            notes.append(Note("name", at, 0, line.name))
    return notes


def _dots(x: Axis, y: Axis, points: Sequence[Point]) -> list[Shape]:
    shapes = []
    for point in points:
        at, middle = x.at(point.x), 100 - y.at(point.y)
        shapes.append(Shape("whisker", _line([(at, 100 - y.at(point.low)), (at, 100 - y.at(point.high))])))
        shapes.append(Shape("dot", _line([(at, middle), (at, middle)])))
    return shapes


def _line(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)
