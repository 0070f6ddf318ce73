"""Chart of the ratings of a bot's versions, one after the other."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from arena.ratings import Rating
from arena.services.ratings.views import Rated, VersionHistory
from web.base.context import plural
from web.drawing import charts
from web.drawing.charts import Chart, Line, Point

CAPTION: Final = "mu after each table, with mu ± 3 sigma around it; the lower edge is the rating."
SEVERAL: Final = " Each version starts anew at its dashed line."
COLUMNS: Final = ("Version", "Table", "mu", "mu ± 3 sigma")


def drawn(histories: Sequence[VersionHistory], label: str = "Rating") -> Chart:
    """Return the chart of these versions, in this order; without lines if no table is rated yet."""
    label = f"{label}, mu ± 3 sigma"
    if not histories:
        return Chart(
            "Rating",
            "no table rated yet.",
            CAPTION,
            charts.axis("Tables", 0, 5),
            charts.axis(label, 0, 50),
            (),
            COLUMNS,
            (),
        )
    starts = [0, *accumulate(one.points[-1].tables for one in histories)]
    lines = [_line(one, start) for one, start in zip(histories, starts, strict=False)]
    points = [point for line in lines for point in line.points]
    first, last = points[0].x, max(points[-1].x, points[0].x + 1)
    ticks = charts.ticks(charts.axis("", first, last, least=1))
    x = charts.exact("Tables, version by version" if lines[1:] else "Tables", first, last, ticks, charts.whole)
    y = charts.axis(label, min(one.low for one in points), max(one.high for one in points))
    caption = CAPTION + (SEVERAL if lines[1:] else "")
    return charts.curve("Rating", _says(histories), caption, x, y, lines, COLUMNS)


def _says(histories: Sequence[VersionHistory]) -> str:
    """Return the last rating of each version, newest first, as a sentence."""
    ends = ((one.version, one.points[-1]) for one in reversed(histories))
    listed = (f"version {version} at {end.mu:.1f} after {plural(end.tables, 'table')}" for version, end in ends)
    return f"{'; '.join(listed)}."


def _line(one: VersionHistory, start: int) -> Line:
    return Line(f"v{one.version}", [_point(one.version, rated, start) for rated in one.points])


def _point(version: int, rated: Rated, start: int) -> Point:
    low = Rating(rated.mu, rated.sigma).conservative
    high = 2 * rated.mu - low
    cells = (str(version), charts.whole(rated.tables), f"{rated.mu:.1f}", f"{low:.1f} to {high:.1f}".replace("-", "−"))
    return Point(start + rated.tables, rated.mu, low, high, cells)
