"""Statistics of versions, variants and tournaments, with charts."""

from collections.abc import Callable, Sequence
from math import log10
from typing import Final, TypeVar

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from arena.games.registry import DEFAULT_VARIANT
from arena.services.analyses import pages as analyses
from arena.services.base.context import Arena
from arena.services.base.lists import cut
from arena.services.numbers import statistics
from arena.services.numbers.statistics import ScoreBar, Statistics, ThinkTimes
from arena.services.ratings import pages as ratings
from arena.services.tournaments import pages as tournament_pages
from arena.tournament.calibration import Bin, Calibration
from arena.tournament.histogram import PER_OCTAVE, START
from arena.words import _
from web.base.context import duration, percent
from web.base.forms import Form
from web.base.lists import ROWS
from web.base.shared import figure, shared
from web.base.variants import known, picked
from web.drawing import charts
from web.drawing.charts import Chart, Column, Point
from web.numbers import histories
from web.serving.session import arena

bp = Blueprint("statistics", __name__)

S = TypeVar("S", int, str)
SIZE: Final = 2**16
"""Bytes of memory that statistics take, about."""


@bp.get("/statistics/", defaults={"variant": DEFAULT_VARIANT})
@bp.get("/statistics/<variant>")
@shared("variant")
def variant(variant: str) -> ResponseReturnValue:
    """Show a variant's statistics: seats, scores, accuracy of the ratings."""
    if elsewhere := picked():
        return elsewhere
    chosen = known(variant)
    stats = figures_of(variant, statistics.of_variant)
    return render_template("numbers/statistics/variant.html", stats=stats, variant=chosen, charts_of=drawn(stats))


@bp.get("/tournaments/<int:tournament_id>/statistics")
@shared()
def tournament(tournament_id: int) -> ResponseReturnValue:
    """Show a tournament's statistics."""
    stats = figures_of(tournament_id, statistics.of_tournament)
    row = tournament_pages.row(arena(), tournament_id)
    return render_template("numbers/statistics/tournament.html", stats=stats, row=row, charts_of=drawn(stats))


@bp.get("/versions/<int:version_id>/statistics/<variant>")
@shared("page")
def version(version_id: int, variant: str) -> ResponseReturnValue:
    """Show a version's statistics in a variant, with one page of its opponents."""
    chosen = known(variant)
    stats = statistics.of_version(arena(), version_id, variant)
    drawings = {
        "history": histories.drawn(ratings.history(arena(), variant, version_id=version_id)),
        "scores": scores(stats.scores),
        "think": think(stats.think),
    }
    met = cut(stats.opponents, request.args.get("page", 1, int), ROWS)
    lost = analyses.lost_by(arena(), [version_id], variant)
    return render_template(
        "numbers/statistics/version.html", stats=stats, met=met, variant=chosen, charts_of=drawings, lost=lost,
        form=Form(),
    )  # fmt: skip


def figures_of(scope: S, find: Callable[[Arena, S], Statistics]) -> Statistics:
    """Return the statistics of a tournament or variant, computed at most once per change."""
    here = arena()
    return figure(
        ("statistics", scope), lambda: statistics.edition(here, scope), lambda: find(here, scope), lambda _: SIZE
    )


def drawn(stats: Statistics) -> dict[str, Chart | None]:
    """Return the charts of a variant or a tournament, by name."""
    return {
        "scores": scores(stats.scores),
        "think": think(stats.think),
        "calibration": calibration(stats.calibration),
    }


def scores(bars: Sequence[ScoreBar]) -> Chart | None:
    """Chart of the distribution of scores; None if there are none."""
    if not bars:
        return None
    columns = [Column(bar.low - 0.5, bar.high + 0.5, bar.seats, _range(bar)) for bar in bars]
    x = charts.axis(_("Score of a match"), columns[0].low, columns[-1].high, charts.whole, 1)
    x = charts.exact(x.label, columns[0].low, columns[-1].high, charts.ticks(x), charts.whole)
    says = _(
        "from %(least)s to %(most)s, most often %(mode)s.",
        least=bars[0].low, most=bars[-1].high, mode=_range(max(bars, key=lambda bar: bar.seats)),
    )  # fmt: skip
    caption = _("How often each score was reached: the height of a bar is the number of seats.")
    return charts.bars(_("Scores"), says, caption, x, columns, (_("Score"), _("Seats")))


def think(times: ThinkTimes | None) -> Chart | None:
    """Chart of the CPU times of answers on a logarithmic axis; None if no times were recorded."""
    if times is None:
        return None
    counts = times.histogram.bins
    first = next(number for number, count in enumerate(counts) if count)
    columns = [_time(number, count) for number, count in enumerate(counts) if number >= first]
    x = charts.times(_("CPU time of an answer"), columns[0].low, columns[-1].high, duration)
    says = _("median %(median)s, longest %(longest)s.", median=duration(times.median), longest=duration(times.longest))
    caption = _("How long answers took: the height of a bar is the number of answers. The axis is logarithmic.")
    return charts.bars(_("Time to answer"), says, caption, x, columns, (_("CPU time about"), _("Answers")))


def calibration(found: Calibration | None) -> Chart | None:
    """Chart of predicted against actual shares; None if nothing was predicted."""
    if found is None:
        return None
    points = [_predicted(one) for one in found.bins]
    x = charts.axis(_("Share of points predicted by the ratings"), 0, 1, charts.percent)
    y = charts.axis(_("Actual share"), 0, 1, charts.percent)
    says = _(
        "points on the diagonal were predicted exactly; the lines are %(level)s intervals of the actual share.",
        level=percent(0.95, 0),
    )
    caption = _(
        "Each dot is a group of pairs of bots with similar predictions; its whisker is the %(level)s interval of "
        "their actual share. Predictions on the dashed diagonal are exact.",
        level=percent(0.95, 0),
    )
    columns = (_("Predicted"), _("Actual"), _("Interval"), _("Pairs"))
    return charts.dots(_("Predictions"), says, caption, x, y, points, columns)


def _predicted(one: Bin) -> Point:
    ends = one.interval or (one.actual, one.actual)
    cells = (
        charts.percent(one.predicted),
        charts.percent(one.actual),
        _interval(one.interval),
        charts.whole(one.pairs),
    )
    return Point(one.predicted, one.actual, *ends, cells)


def _range(bar: ScoreBar) -> str:
    low, high = charts.whole(bar.low), charts.whole(bar.high)
    return low if low == high else _("%(least)s to %(most)s", least=low, most=high)


def _interval(interval: tuple[float, float] | None) -> str:
    if not interval:
        return "–"
    least, most = map(charts.percent, interval)
    return _("%(least)s to %(most)s", least=least, most=most)


def _time(number: int, count: int) -> Column:
    low, high = (log10(START * 2 ** (edge / PER_OCTAVE)) for edge in (number, number + 1))
    return Column(low, high, count, duration(10 ** ((low + high) / 2)))
