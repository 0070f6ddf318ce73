"""Charts: ticks of the axes, and positions of the values."""

import pytest

from web import charts
from web.charts import Column, Point


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


def test_histogram_draws_non_empty_columns() -> None:
    """The height of a bar is its count; empty columns are neither drawn nor in the table."""
    columns = [Column(0, 1, 10, "low"), Column(1, 2, 0, "none"), Column(2, 3, 5, "high")]
    chart = charts.histogram("Scores", "", charts.axis("", 0, 3), columns, ("Score", "Seats"))

    assert [shape.path.split("V")[1].split("H")[0] for shape in chart.shapes] == ["0.00", "50.00"]
    assert chart.rows == (("low", "10"), ("high", "5"))


def test_curve_is_clamped_to_its_axes() -> None:
    """Values beyond the axis are drawn at its end, but the table has the true values."""
    x, y = charts.exact("", 1, 3, [1, 3], charts.whole), charts.axis("", 0, 10)
    points = [Point(1, 5, -50, 50), Point(3, 5, 4, 6)]
    band, line = (chart := charts.curve("Rating", "", x, y, points, ("Table", "mu", "Band"))).shapes

    assert line.path == "M0.00 50.00L100.00 50.00"
    assert band.path == "M0.00 0.00L100.00 40.00L100.00 60.00L0.00 100.00Z"
    assert chart.rows[0] == ("1", "5", "−50 to 50")


def test_long_curves_are_thinned_evenly() -> None:
    """A thinned curve keeps its last point."""
    assert charts.thinned(range(1, 1001), 4) == [250, 500, 750, 1000]
    assert charts.thinned([1, 2], 4) == [1, 2]


@pytest.mark.parametrize(("share", "step"), [(0, -5), (0.29, -2), (0.46, 0), (0.5, 0), (0.54, 0), (0.66, 2), (1, 5)])
def test_heat_is_symmetric(share: float, step: int) -> None:
    """Complementary shares have the same strength of colour."""
    assert charts.heat(share) == step
    assert charts.heat(1 - share) == -step
