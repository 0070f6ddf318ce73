"""Charts: ticks of the axes, and positions of the values."""

import pytest

from arena.services.ratings.views import Rated, VersionHistory
from web.drawing import charts
from web.drawing.charts import Bound, Column, Line, Point
from web.numbers import histories


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0, 1, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (-2.9, 3.1, ["−4", "−2", "0", "2", "4"]),
        (0, 1234, ["0", "500", "1,000", "1,500"]),
        (7, 7, ["7", "8"]),
        (-0.001, 0.001, ["0", "0", "0", "0", "0"]),
    ],
)
def test_axis_has_round_ticks(low: float, high: float, texts: list[str]) -> None:
    """The ticks cover the range, also if it is empty, and there is no negative zero."""
    axis = charts.axis("", low, high)

    assert [tick.text for tick in axis.ticks] == texts
    assert axis.low <= low
    assert axis.high >= high
    assert (axis.ticks[0].at, axis.ticks[-1].at) == (0, 100)


def test_axis_of_counts_has_whole_ticks() -> None:
    """With `least` 1 the ticks are whole numbers."""
    assert [tick.text for tick in charts.axis("", 0, 2, charts.whole, 1).ticks] == ["0", "1", "2"]


def test_axis_of_times_has_powers_of_ten() -> None:
    """The ticks are at least two powers of ten."""
    assert [tick.text for tick in charts.times("", -2.5, -2.4, charts.decimal).ticks] == ["0", "0.01"]
    assert [tick.at for tick in charts.times("", 0.2, 1.9, charts.whole).ticks] == [0, 50, 100]


def test_bars_are_drawn_for_non_empty_columns() -> None:
    """The height of a bar is its count; empty columns are neither drawn nor in the table."""
    columns = [Column(0, 1, 10, "low"), Column(1, 2, 0, "none"), Column(2, 3, 5, "high")]
    chart = charts.bars("Scores", "", "", charts.axis("", 0, 3), columns, ("Score", "Seats"))

    assert [shape.path.split("V")[1].split("H")[0] for shape in chart.shapes] == ["0.00", "50.00"]
    assert [row.cells for row in chart.rows] == [("low", "10"), ("high", "5")]
    assert [row.spot for row in chart.rows] == [(16.67, 0), (83.33, 50)]


def test_curve_has_a_band_a_line_and_a_dot() -> None:
    """A single line has no marks and no name; without intervals it has no band."""
    x, y = charts.exact("", 1, 3, [1, 3], charts.whole), charts.axis("", 0, 10)
    points = [Point(1, 5, 0, 10, ("1", "5")), Point(3, 5, 4, 6, ("3", "5"))]
    chart = charts.curve("Rating", "", "", x, y, [Line("v1", points)], ("Table", "mu"))
    bare = charts.curve("Rating", "", "", x, y, [Line("", [Point(1, 5, 5, 5)])], ("Table", "mu"))

    band, line, dot = chart.shapes
    assert line.path == "M0.00 50.00L100.00 50.00"
    assert band.path == "M0.00 0.00L100.00 40.00L100.00 60.00L0.00 100.00Z"
    assert dot.path == "M100.00 50.00L100.00 50.00"
    assert [shape.kind for shape in bare.shapes] == ["whisker", "dot"]
    assert chart.rows[0] == ((0, 50), ("1", "5"))
    assert chart.notes == ()


def test_lines_of_a_curve_are_separated_and_named() -> None:
    """Each line but the first begins at a mark; of names that would overlap only the last is shown."""
    x, y = charts.exact("", 1, 101, [], charts.whole), charts.axis("", 0, 10)
    lines = [Line(f"v{at}", [Point(at, 5, 5, 5)]) for at in (1, 51, 52)]
    chart = charts.curve("Rating", "", "", x, y, lines, (), [Bound(10, "best")])

    assert [shape.path for shape in chart.shapes if shape.kind == "mark"] == [
        "M0.00 0.00L100.00 0.00", "M50.00 0V100", "M51.00 0V100",
    ]  # fmt: skip
    assert sorted(note.text for note in chart.notes) == ["best", "v1", "v52"]


def test_history_never_clips_its_band() -> None:
    """All versions are on one axis, one after the other, and the band is inside it."""
    first = VersionHistory(1, [Rated(1, 25.0, 8.0), Rated(2, 26.0, 7.0)])
    second = VersionHistory(3, [Rated(1, 30.0, 8.0)])
    chart = histories.drawn([first, second])

    assert [row.cells[:2] for row in chart.rows] == [("1", "1"), ("1", "2"), ("3", "1")]
    assert [row.spot.x for row in chart.rows] == [0, 50, 100]
    assert (chart.y.low, chart.y.high) == (0, 60)
    assert "dashed line" in chart.caption
    assert chart.says == "version 3 at 30.0 after 1 table; version 1 at 26.0 after 2 tables."


def test_history_of_one_table_shows_its_interval() -> None:
    """A single rating is a dot with a whisker from mu − 3 sigma to mu + 3 sigma."""
    chart = histories.drawn([VersionHistory(1, [Rated(1, 30.0, 10.0)])])

    whisker, dot = chart.shapes
    assert (whisker.kind, dot.kind) == ("whisker", "dot")
    assert whisker.path == "M0.00 100.00L0.00 0.00"


def test_history_without_tables_is_an_empty_chart() -> None:
    """The chart takes its place before the first table is rated."""
    assert histories.drawn([]).rows == ()


def test_long_curves_are_thinned_evenly() -> None:
    """A thinned curve keeps its last point."""
    assert charts.thinned(range(1, 1001), 4) == [250, 500, 750, 1000]
    assert charts.thinned([1, 2], 4) == [1, 2]


@pytest.mark.parametrize(("share", "step"), [(0, -5), (0.29, -2), (0.46, 0), (0.5, 0), (0.54, 0), (0.66, 2), (1, 5)])
def test_heat_is_symmetric(share: float, step: int) -> None:
    """Complementary shares have the same strength of colour."""
    assert charts.heat(share) == step
    assert charts.heat(1 - share) == -step
