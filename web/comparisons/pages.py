"""Comparisons: sequential tests of whether one version is better than another."""

from collections.abc import Sequence
from math import exp
from typing import Any, Final

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import IntegerField, RadioField, SelectField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired

from arena.games.errors import Forbidden, NotFound
from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.services.analyses import actions as analyses
from arena.services.analyses import pages as lost
from arena.services.comparisons import actions as comparisons
from arena.services.comparisons import pages as comparison_pages
from arena.services.comparisons.views import Compared, ComparisonPage
from arena.services.tournaments import actions as tournaments
from arena.tournament.formats.comparison import DEFAULT_DELTA, DEFAULT_TABLES, MAX_TABLES, MIN_TABLES
from web.base.actions import Action, confirm, simple
from web.base.forms import Form, creates
from web.base.shared import shared
from web.drawing import charts
from web.drawing.charts import Bound, Chart, Line, Point
from web.serving.limits import limit_analyses
from web.serving.session import arena, member, members_only, own_bots, viewer

bp = Blueprint("comparisons", __name__, url_prefix="/comparisons")

LEADS: Final = {
    "0.02": "Slightly better: 51 to 49 of each 100 points between the two, after many tables",
    str(DEFAULT_DELTA): "Clearly better: 52.5 to 47.5",
    "0.1": "Much better: 55 to 45",
    "0.2": "Far better: 60 to 40",
}
"""Choices of the difference to detect, by its size."""
CANCEL: Final = Action(
    "Cancel the comparison",
    (
        "No more tables are played, and this cannot be undone. Finished tables keep their results and stay rated.",
        "The seed is published.",
    ),
    "The comparison is cancelled. Finished tables keep their results.",
    simple(tournaments.cancel),
    grave=True,
)
NOTABLE: Final = 2.0
"""Rarity of evidence below which it says nothing."""
RAREST: Final = 1e6
TELLING: Final = 5
"""Number of tables whose matches a request for analyses covers, at most."""
OPTIONS: Final = {
    GAMES[game].title: [
        SelectChoice(variant.id, variant.title, optgroup=GAMES[game].title)
        for variant in VARIANTS.values()
        if variant.game == game
    ]
    for game in GAMES
}


class CompareForm(Form):
    """Set-up of a comparison: game, versions, difference to detect, maximum number of tables."""

    variant = SelectField("Game", choices=[choice for group in OPTIONS.values() for choice in group])
    a = SelectField("Baseline", coerce=int)
    b = SelectField("Candidate", coerce=int)
    delta = RadioField("Difference to detect", choices=[SelectChoice(*lead) for lead in LEADS.items()])
    most = IntegerField(
        "Maximum tables",
        [InputRequired(f"Enter a number of tables from {MIN_TABLES} to {MAX_TABLES:,}.")],
        description="Stops when the answer is clear, or without an answer after this many tables. "
        "Each table plays both orders of the two on the same deals.",
        render_kw={"min": MIN_TABLES, "max": MAX_TABLES, "inputmode": "numeric"},
    )

    def offer(self, offered: Sequence[Compared]) -> None:
        """Set the versions that can be chosen, the member's own in a group; the first two are the defaults."""
        self.a.choices = self.b.choices = [
            SelectChoice(one.version_id, f"{one.bot} v{one.version}, by {one.owner}", optgroup=_group(one))
            for one in offered
        ]
        for field, usual in ((self.b, offered[:1]), (self.a, offered[1:2])):
            if field.data is None and usual:
                field.data = usual[0].version_id


@bp.get("/")
@shared()
def index() -> ResponseReturnValue:
    """List the latest comparisons."""
    return render_template("comparisons/index.html", rows=comparison_pages.comparisons(arena()))


@bp.route("/new", methods=["GET", "POST"])
@members_only
@creates()
def new() -> ResponseReturnValue:
    """Start a comparison."""
    form = CompareForm(**_asked())
    variant = form.variant.data if form.variant.data in VARIANTS else DEFAULT_VARIANT
    offered = comparison_pages.candidates(arena(), member(), variant)
    form.offer(offered)
    if "switch" not in request.form and form.validate_on_submit():
        with form.refusals(NotFound):
            number = comparisons.create(
                arena(), member(), variant, form.a.data, form.b.data, delta=float(form.delta.data), most=form.most.data
            )
            return redirect(url_for("comparisons.show", tournament_id=number))
    return render_template("comparisons/new.html", form=form, offered=offered), form.status


@bp.get("/<int:tournament_id>")
@shared()
def show(tournament_id: int) -> ResponseReturnValue:
    """Show a comparison."""
    return _page("comparisons/show.html", tournament_id)


@bp.get("/<int:tournament_id>/live")
@shared()
def live(tournament_id: int) -> ResponseReturnValue:
    """Show the changing part of a comparison's page, which polls this until there is an answer."""
    return _page("comparisons/_live.html", tournament_id)


@bp.route("/<int:tournament_id>/cancel", methods=["GET", "POST"])
@members_only
def cancel(tournament_id: int) -> ResponseReturnValue:
    """Cancel a comparison; for its creator and for organisers."""
    page = comparison_pages.comparison_page(arena(), tournament_id)
    if not _mine(page):
        raise Forbidden("Only the member who started this comparison, or an organiser, may cancel it.")
    back = url_for("comparisons.show", tournament_id=tournament_id)
    return confirm(CANCEL, Form(), tournament_id, page.row.name, back, back)


@bp.post("/<int:tournament_id>/analyses")
@limit_analyses
@members_only
def analyse(tournament_id: int) -> ResponseReturnValue:
    """Ask for the analyses of the matches at the tables at which one of the two was furthest ahead."""
    page = comparison_pages.comparison_page(arena(), tournament_id)
    furthest = sorted(page.leads, key=lambda lead: -abs(lead[1]))[:TELLING]
    analyses.request_tables(arena(), [table for table, _ in furthest])
    return redirect(url_for("comparisons.show", tournament_id=tournament_id, _anchor="lost"), 303)


def _asked() -> dict[str, Any]:
    """Default values of the form, overridden by the query."""
    return {
        "variant": request.args.get("variant", DEFAULT_VARIANT),
        "a": request.args.get("a", type=int),
        "b": request.args.get("b", type=int),
        "delta": str(DEFAULT_DELTA),
        "most": DEFAULT_TABLES,
    }


def _group(one: Compared) -> str:
    return "Your versions" if one.bot_id in own_bots() else "Other versions"


def _page(template: str, tournament_id: int) -> ResponseReturnValue:
    page = comparison_pages.comparison_page(arena(), tournament_id)
    return render_template(
        template,
        page=page,
        walk=_walk(page),
        lead=_lead(page),
        names=_names(page),
        meaning=meaning(page),
        stoppable=_stoppable(page),
        lost=lost.lost_by(arena(), [page.a.version_id, page.b.version_id], page.row.variant, tournament_id),
        form=Form(),
    )


def _stoppable(page: ComparisonPage) -> bool:
    """Whether the viewer may cancel the comparison, and it can be cancelled."""
    return _mine(page) and page.row.state in ("running", "paused")


def _mine(page: ComparisonPage) -> bool:
    """Whether the viewer started the comparison or is an organiser."""
    account = viewer()
    return account is not None and (account.may_organise or account.name == page.row.created_by)


def _names(page: ComparisonPage) -> tuple[str, str]:
    """Names of both bots with their version numbers."""
    return f"{page.a.bot} v{page.a.version}", f"{page.b.bot} v{page.b.version}"


def meaning(page: ComparisonPage) -> str:
    """Return the meaning of the evidence as a sentence: Ville's inequality for the capital of a gambler."""
    a, b = _names(page)
    rarity = min(exp(abs(page.llr)), RAREST)
    if rarity < NOTABLE:
        return "The tables speak for neither answer."
    wanted = charts.percent(page.target + page.delta)
    if page.llr < 0:
        unless = f"{b} led by {wanted} or more"
    elif page.target:
        unless = f"{b} took no more than {charts.percent((1 + page.target) / 2)} of the points"
    else:
        unless = f"{b} were no better than {a}"
    often = f"{'fewer than' if rarity == RAREST else 'at most'} 1 in {rarity:,.0f}"
    return f"If {unless}, {often} comparisons would ever show evidence this strong to the contrary."


def _walk(page: ComparisonPage) -> Chart | None:
    """Chart of the evidence after each table; None before the first table."""
    if not page.walk:
        return None
    points = [
        Point(n, value, value, value, (charts.whole(n), charts.decimal(value))) for n, value in enumerate(page.walk, 1)
    ]
    start = Point(0, 0, 0, 0, ("0", "0"))
    x = charts.axis("Tables", 0, max(len(page.walk), MIN_TABLES), charts.whole, 1)
    y = charts.axis(
        "Evidence that the candidate is better",
        min(page.lower, *page.walk) - 0.5, max(page.upper, *page.walk) + 0.5,
    )  # fmt: skip
    says = f"{page.llr:.2f} after {len(page.walk)} tables; {page.upper:.2f} means better, {page.lower:.2f} not better."
    bounds = (Bound(page.upper, "better"), Bound(page.lower, "not better"))
    caption = (
        "Evidence after each table: the logarithm of the factor by which bets on the candidate (above 0) or against it "
        "(below 0) would have grown. It is not an estimate and has no band. The test ends at a dashed line."
    )
    return charts.curve("Evidence", says, caption, x, y, [Line("", [start, *points])], ("Table", "Evidence"), bounds)


def _lead(page: ComparisonPage) -> Chart | None:
    """Chart of the mean lead and its interval, with marks at 0 and at the difference to detect; None if no interval."""
    if page.mean is None or page.interval is None:
        return None
    low, high, wanted = *page.interval, page.target + page.delta
    x = charts.axis("Lead, in percent of the maximum", min(0, low), max(wanted, high), charts.percent)
    ends = f"{charts.percent(low)} to {charts.percent(high)}"
    says = f"{charts.percent(page.mean)}, 95 % interval {ends}; to detect {charts.percent(wanted)}."
    caption = (
        f"The dot is the candidate's mean lead, the whisker its 95 % interval. Dashed lines: no lead, and the lead to "
        f"detect ({charts.percent(wanted)})."
    )
    point = Point(page.mean, 0, low, high, (charts.percent(page.mean), ends, charts.percent(wanted)))
    return charts.interval("Lead", says, caption, x, point, (0, wanted), ("Lead", "95 % interval", "To detect"))
