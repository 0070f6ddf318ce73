"""Is one version better than another? Ask, and watch the answer come."""

from collections.abc import Sequence
from typing import Any, Final

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import IntegerField, RadioField, SelectField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired

from arena.games.errors import NotFound, Refused
from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.services import comparisons
from arena.services.comparisons import DELTA, FEWEST_TABLES, MOST, MOST_TABLES, Compared, ComparisonPage
from web import charts, organising
from web.actions import confirm
from web.charts import Chart
from web.forms import Form
from web.session import arena, member, members_only, viewer

bp = Blueprint("comparisons", __name__, url_prefix="/comparisons")

LEADS: Final = {
    "0.02": "A little better: of 100 points that two share, 51 to 49. Takes long",
    str(DELTA): "Clearly better: 52.5 to 47.5",
    "0.1": "Much better: 55 to 45. Is found soon",
    "0.2": "Better by far: 60 to 40",
}
"""How small a difference matters, in words."""
OPTIONS: Final = {
    GAMES[game].title: [
        SelectChoice(variant.id, variant.title, optgroup=GAMES[game].title)
        for variant in VARIANTS.values()
        if variant.game == game
    ]
    for game in GAMES
}


class CompareForm(Form):
    """Which two, in which game, and how sure and how far."""

    variant = SelectField("Game", choices=[choice for group in OPTIONS.values() for choice in group])
    a = SelectField("The version to beat", coerce=int)
    b = SelectField("The version that may be better", coerce=int)
    delta = RadioField("A difference that matters", choices=[SelectChoice(*lead) for lead in LEADS.items()])
    most = IntegerField(
        "Tables at most",
        [InputRequired(f"Give a number of tables from {FEWEST_TABLES} to {MOST_TABLES:,}.")],
        description="It ends as soon as the answer is clear, and without one after so many.",
        render_kw={"min": FEWEST_TABLES, "max": MOST_TABLES, "inputmode": "numeric"},
    )

    def offer(self, offered: Sequence[Compared]) -> None:
        """Have these versions to choose from, one's own apart from those of others, the first two of them chosen."""
        self.a.choices = self.b.choices = [
            SelectChoice(one.version_id, f"{one.bot} v{one.version}, by {one.owner}", optgroup=_group(one))
            for one in offered
        ]
        for field, usual in ((self.b, offered[:1]), (self.a, offered[1:2])):
            if field.data is None and usual:
                field.data = usual[0].version_id


@bp.get("/")
def index() -> ResponseReturnValue:
    """The latest comparisons."""
    return render_template("comparisons/index.html", rows=comparisons.comparisons(arena()))


@bp.route("/new", methods=["GET", "POST"])
@members_only
def new() -> ResponseReturnValue:
    """Ask whether one version is better than another."""
    form = CompareForm(**_asked())
    variant = form.variant.data if form.variant.data in VARIANTS else DEFAULT_VARIANT
    offered = comparisons.candidates(arena(), member(), variant)
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
def show(tournament_id: int) -> ResponseReturnValue:
    """One comparison."""
    return _page("comparisons/show.html", tournament_id)


@bp.get("/<int:tournament_id>/live")
def live(tournament_id: int) -> ResponseReturnValue:
    """The part of it that changes; polled until there is an answer."""
    return _page("comparisons/_live.html", tournament_id)


@bp.route("/<int:tournament_id>/cancel", methods=["GET", "POST"])
@members_only
def cancel(tournament_id: int) -> ResponseReturnValue:
    """Stop a comparison, for whoever made it and for admins."""
    page = comparisons.comparison_page(arena(), tournament_id)
    back = url_for("comparisons.show", tournament_id=tournament_id)
    return confirm(organising.ACTIONS["cancel"], Form(), tournament_id, page.row.name, back, back)


def _asked() -> dict[str, Any]:
    """What the address asks for, as the defaults of the form."""
    return {
        "variant": request.args.get("variant", DEFAULT_VARIANT),
        "a": request.args.get("a", type=int),
        "b": request.args.get("b", type=int),
        "delta": str(DELTA),
        "most": MOST,
    }


def _group(one: Compared) -> str:
    return "Your versions" if one.owner == member().name else "Of others"


def _page(template: str, tournament_id: int) -> ResponseReturnValue:
    page = comparisons.comparison_page(arena(), tournament_id)
    return render_template(
        template, page=page, walk=_walk(page), lead=_lead(page), names=_names(page), stoppable=_stoppable(page)
    )


def _stoppable(page: ComparisonPage) -> bool:
    """Whether the viewer may stop it."""
    account = viewer()
    mine = account is not None and (account.is_admin or account.name == page.row.created_by)
    return mine and page.row.state in ("running", "paused")


def _names(page: ComparisonPage) -> tuple[str, str]:
    """A and B, with their numbers."""
    return f"{page.a.bot} v{page.a.version}", f"{page.b.bot} v{page.b.version}"


def _walk(page: ComparisonPage) -> Chart | None:
    """The logarithm of the likelihood ratio on its way; None before the first table."""
    if not page.walk:
        return None
    tables = max(len(page.walk), FEWEST_TABLES)
    x = charts.axis("Tables", 0, tables, charts.whole, 1)
    y = charts.axis(
        "Evidence that it is better (log likelihood ratio)",
        min(page.lower, *page.walk) - 0.5, max(page.upper, *page.walk) + 0.5,
    )  # fmt: skip
    says = f"{page.llr:.2f} after {len(page.walk)} tables; {page.upper:.2f} means better, {page.lower:.2f} not better."
    bounds = ((page.upper, "better"), (page.lower, "not better"))
    return charts.walk("Evidence", says, x, y, page.walk, bounds, ("Table", "Log likelihood ratio"))


def _lead(page: ComparisonPage) -> Chart | None:
    """The mean lead with its interval, beside none and the one that matters; None before there is an interval."""
    if page.mean is None or page.interval is None:
        return None
    return charts.lead(page.mean, page.interval, page.delta)
