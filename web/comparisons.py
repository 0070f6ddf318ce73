"""Comparisons: sequential tests of whether one version is better than another."""

from collections.abc import Sequence
from typing import Any, Final

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import IntegerField, RadioField, SelectField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired

from arena.games.errors import NotFound, Refused
from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.services.comparisons import actions as comparisons
from arena.services.comparisons import pages as comparison_pages
from arena.services.comparisons.actions import DEFAULT_DELTA, DEFAULT_TABLES, MAX_TABLES, MIN_TABLES
from arena.services.comparisons.views import Compared, ComparisonPage
from web import charts, tournament_actions
from web.actions import confirm
from web.charts import Chart
from web.forms import Form
from web.session import arena, member, members_only, own_bots, viewer
from web.shared import shared

bp = Blueprint("comparisons", __name__, url_prefix="/comparisons")

LEADS: Final = {
    "0.02": "Slightly better: 51 to 49 of each 100 points between the two. Takes long",
    str(DEFAULT_DELTA): "Clearly better: 52.5 to 47.5",
    "0.1": "Much better: 55 to 45. Found quickly",
    "0.2": "Far better: 60 to 40",
}
"""Choices of the difference to detect, by its size."""
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
def new() -> ResponseReturnValue:
    """Start a comparison."""
    form = CompareForm(**_asked())
    variant = form.variant.data if form.variant.data in VARIANTS else DEFAULT_VARIANT
    offered = comparison_pages.candidates(arena(), member(), variant)
    form.offer(offered)
    if "switch" not in request.form and form.validate_on_submit():
        try:
            number = comparisons.create(
                arena(), member(), variant, form.a.data, form.b.data, delta=float(form.delta.data), most=form.most.data
            )
        except (Refused, NotFound) as refusal:
            form.refuse(refusal)
        else:
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
    back = url_for("comparisons.show", tournament_id=tournament_id)
    return confirm(tournament_actions.ACTIONS["cancel"], Form(), tournament_id, page.row.name, back, back)


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
        template, page=page, walk=_walk(page), lead=_lead(page), names=_names(page), stoppable=_stoppable(page)
    )


def _stoppable(page: ComparisonPage) -> bool:
    """Whether the viewer may cancel the comparison."""
    account = viewer()
    mine = account is not None and (account.may_organise or account.name == page.row.created_by)
    return mine and page.row.state in ("running", "paused")


def _names(page: ComparisonPage) -> tuple[str, str]:
    """Names of both bots with their version numbers."""
    return f"{page.a.bot} v{page.a.version}", f"{page.b.bot} v{page.b.version}"


def _walk(page: ComparisonPage) -> Chart | None:
    """Chart of the evidence after each table; None before the first table."""
    if not page.walk:
        return None
    tables = max(len(page.walk), MIN_TABLES)
    x = charts.axis("Tables", 0, tables, charts.whole, 1)
    y = charts.axis(
        "Evidence that the candidate is better",
        min(page.lower, *page.walk) - 0.5, max(page.upper, *page.walk) + 0.5,
    )  # fmt: skip
    says = f"{page.llr:.2f} after {len(page.walk)} tables; {page.upper:.2f} means better, {page.lower:.2f} not better."
    bounds = ((page.upper, "better"), (page.lower, "not better"))
    return charts.walk("Evidence", says, x, y, page.walk, bounds, ("Table", "Evidence"))


def _lead(page: ComparisonPage) -> Chart | None:
    """Chart of the mean lead and its interval, with marks at 0 and at the difference to detect; None if no interval."""
    if page.mean is None or page.interval is None:
        return None
    return charts.lead(page.mean, page.interval, page.target + page.delta)
