"""Chart of the ratings of a bot's versions, one after the other."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from arena.ratings import Rating
from arena.services.ratings.views import Rated, VersionHistory
from arena.words import N_, _, ngettext, number
from web.drawing import charts
from web.drawing.charts import Chart, Line, Point

CAPTION: Final = N_("mu after each table, with mu ± 3 sigma around it; the lower edge is the rating.")
SEVERAL: Final = N_("Each version starts anew at its dashed line.")
COLUMNS: Final = (N_("Version"), N_("Table"), N_("mu"), N_("mu ± 3 sigma"))


def drawn(histories: Sequence[VersionHistory], label: str = "") -> Chart:
    """Return the chart of these versions, in this order; without lines if no table is rated yet."""
    label = _("%(what)s, mu ± 3 sigma", what=label or _("Rating"))
    title, columns = _("Rating"), tuple(map(_, COLUMNS))
    if not histories:
        return Chart(
            title,
            _("no table rated yet."),
            _(CAPTION),
            charts.axis(_("Tables"), 0, 5),
            charts.axis(label, 0, 50),
            (),
            columns,
            (),
        )
    starts = [0, *accumulate(one.points[-1].tables for one in histories)]
    lines = [_line(one, start) for one, start in zip(histories, starts, strict=False)]
    points = [point for line in lines for point in line.points]
    first, last = points[0].x, max(points[-1].x, points[0].x + 1)
    ticks = charts.ticks(charts.axis("", first, last, least=1))
    x = charts.exact(_("Tables, version by version") if lines[1:] else _("Tables"), first, last, ticks, charts.whole)
    y = charts.axis(label, min(one.low for one in points), max(one.high for one in points))
    caption = " ".join(map(_, (CAPTION, SEVERAL) if lines[1:] else (CAPTION,)))
    return charts.curve(title, _says(histories), caption, x, y, lines, columns)


def _says(histories: Sequence[VersionHistory]) -> str:
    """Return the last rating of each version, newest first, as a sentence."""
    ends = ((one.version, one.points[-1]) for one in reversed(histories))
    listed = (
        _(
            "version %(version)s at %(mu)s after %(tables)s",
            version=version, mu=number(end.mu, 1), tables=ngettext("%(num)s table", "%(num)s tables", end.tables),
        )
        for version, end in ends
    )  # fmt: skip
    return f"{'; '.join(listed)}."


def _line(one: VersionHistory, start: int) -> Line:
    return Line(f"v{one.version}", [_point(one.version, rated, start) for rated in one.points])


def _point(version: int, rated: Rated, start: int) -> Point:
    low = Rating(rated.mu, rated.sigma).conservative
    high = 2 * rated.mu - low
    cells = (
        str(version),
        charts.whole(rated.tables),
        number(rated.mu, 1),
        _("%(least)s to %(most)s", least=number(low, 1), most=number(high, 1)),
    )
    return Point(start + rated.tables, rated.mu, low, high, cells)
