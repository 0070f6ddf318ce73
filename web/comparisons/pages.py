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
from arena.games.registry import DEFAULT_VARIANT, VARIANTS
from arena.services.analyses import actions as analyses
from arena.services.analyses import pages as lost
from arena.services.comparisons import actions as comparisons
from arena.services.comparisons import pages as comparison_pages
from arena.services.comparisons.views import Compared, ComparisonPage
from arena.services.tournaments import actions as tournaments
from arena.tournament.formats.comparison import DEFAULT_DELTA, DEFAULT_TABLES, MAX_TABLES, MIN_TABLES
from arena.words import N_, _, ngettext, number, pgettext
from web.base.actions import Action, confirm, simple
from web.base.context import percent, points
from web.base.forms import Form, creates
from web.base.shared import shared
from web.base.variants import choice
from web.drawing import charts
from web.drawing.charts import Bound, Chart, Line, Point
from web.serving.limits import limit_analyses
from web.serving.session import arena, member, members_only, own_bots, viewer

bp = Blueprint("comparisons", __name__, url_prefix="/comparisons")

LEADS: Final = {
    "0.02": N_("Slightly better: 51 to 49 of each 100 points between the two, after many tables"),
    str(DEFAULT_DELTA): N_("Clearly better: 52.5 to 47.5"),
    "0.1": N_("Much better: 55 to 45"),
    "0.2": N_("Far better: 60 to 40"),
}
"""Choices of the difference to detect, by its size."""
CANCEL: Final = Action(
    N_("Cancel the comparison"),
    (
        N_("No more tables are played, and this cannot be undone. Finished tables keep their results and stay rated."),
        N_("The seed is published."),
    ),
    N_("The comparison is cancelled. Finished tables keep their results."),
    simple(tournaments.cancel),
    grave=True,
)
NOTABLE: Final = 2.0
"""Rarity of evidence below which it says nothing."""
RAREST: Final = 1e6
TELLING: Final = 5
"""Number of tables whose matches a request for analyses covers, at most."""


def _entered(form: Form, field: IntegerField) -> None:
    """Ask for a number where there is none."""
    text = _("Enter a number of tables from %(least)s to %(most)s.", least=MIN_TABLES, most=number(MAX_TABLES))
    InputRequired(text)(form, field)


class CompareForm(Form):
    """Set-up of a comparison: game, versions, difference to detect, maximum number of tables."""

    variant = SelectField(N_("Game"), choices=lambda: [choice(one) for one in VARIANTS.values()])
    a = SelectField(N_("Baseline"), coerce=int)
    b = SelectField(N_("Candidate"), coerce=int)
    delta = RadioField(N_("Difference to detect"), choices=[SelectChoice(*lead) for lead in LEADS.items()])
    most = IntegerField(
        N_("Maximum tables"),
        [_entered],
        description=N_(
            "Stops when the answer is clear, or without an answer after this many tables. "
            "Each table plays both orders of the two on the same deals."
        ),
        render_kw={"min": MIN_TABLES, "max": MAX_TABLES, "inputmode": "numeric"},
    )

    def offer(self, offered: Sequence[Compared]) -> None:
        """Set the versions that can be chosen, the member's own in a group; the first two are the defaults."""
        self.a.choices = self.b.choices = [
            SelectChoice(one.version_id, _offered(one), optgroup=_group(one)) for one in offered
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
            made = comparisons.create(
                arena(), member(), variant, form.a.data, form.b.data, delta=float(form.delta.data), most=form.most.data
            )
            return redirect(url_for("comparisons.show", tournament_id=made))
    return render_template("comparisons/new.html", form=form, offered=offered), form.status


@bp.get("/<int:tournament_id>", defaults={"template": "comparisons/show.html"})
@bp.get("/<int:tournament_id>/live", endpoint="live", defaults={"template": "comparisons/_live.html"})
@shared()
def show(tournament_id: int, template: str) -> ResponseReturnValue:
    """Show a comparison, or the changing part of its page, which polls this until there is an answer."""
    page = comparison_pages.comparison_page(arena(), tournament_id)
    return render_template(
        template,
        page=page,
        walk=_walk(page),
        lead=_lead(page),
        names=_names(page),
        meaning=meaning(page),
        share=_share(page),
        verdict=_verdict(page),
        standing=_standing(page),
        upshot=_upshot(page),
        parts=_parts(page),
        stoppable=_stoppable(page),
        lost=lost.lost_by(arena(), [page.a.version_id, page.b.version_id], page.row.variant, tournament_id),
        form=Form(),
    )


@bp.route("/<int:tournament_id>/cancel", methods=["GET", "POST"])
@members_only
def cancel(tournament_id: int) -> ResponseReturnValue:
    """Cancel a comparison; for its creator and for organisers."""
    page = comparison_pages.comparison_page(arena(), tournament_id)
    if not _mine(page):
        raise Forbidden(_("Only the member who started this comparison, or an organiser, may cancel it."))
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
    return _("Your versions") if one.bot_id in own_bots() else _("Other versions")


def _offered(one: Compared) -> str:
    return _("%(bot)s v%(version)s, by %(owner)s", bot=one.bot, version=one.version, owner=one.owner)


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


def _share(page: ComparisonPage) -> str:
    """Return the share of points to exceed: 55 %."""
    return _("%(number)s %%", number=points(50 + 50 * page.target))


def _parts(page: ComparisonPage) -> dict[str, str]:
    """Return the numbers of the set-up: points of each 100 between the two, and wrong answers of each 1,000."""
    return {
        "target": points(50 + 50 * page.target),
        "most": points(50 + 50 * (page.target + page.delta)),
        "ahead": points(50 + 50 * page.delta),
        "behind": points(50 - 50 * page.delta),
        "wrong": points(round(1000 * page.wrong, 2)),
    }


def _verdict(page: ComparisonPage) -> str:
    """Return the answer as a sentence."""
    bot, share = _names(page)[1], _share(page)
    if page.decision == "better":
        if page.target:
            return _("Yes: %(bot)s takes more than %(share)s.", bot=bot, share=share)
        return _("Yes: %(bot)s is better.", bot=bot)
    if page.decision == "not better":
        if page.target:
            return _("No: %(bot)s does not take more than %(share)s.", bot=bot, share=share)
        return _("No: %(bot)s is not better.", bot=bot)
    if page.decision == "undecided":
        return ngettext("No answer after %(num)s table.", "No answer after %(num)s tables.", page.tables)
    return _("Cancelled without an answer.") if page.row.state == "cancelled" else _("No answer yet.")


def _standing(page: ComparisonPage) -> str:
    """Return who leads, by how much, and after how many tables; empty before the first one."""
    if page.mean is None:
        return ""
    played = {
        "lead": percent(abs(page.mean)),
        "tables": ngettext("%(num)s table", "%(num)s tables", page.tables),
        "matches": ngettext("%(num)s match", "%(num)s matches", page.matches),
    }
    if not page.interval:
        if not page.mean:
            return _("Neither is ahead after %(tables)s, %(matches)s.", **played)
        ahead = _("Ahead by %(lead)s after %(tables)s, %(matches)s.", **played)
        return ahead if page.mean > 0 else _("Behind by %(lead)s after %(tables)s, %(matches)s.", **played)
    played |= {"low": percent(page.interval[0]), "high": percent(page.interval[1])}
    if not page.mean:
        text = N_("Neither is ahead after %(tables)s, %(matches)s; 95 %% interval of the lead: %(low)s to %(high)s.")
    elif page.mean > 0:
        text = N_("Ahead by %(lead)s after %(tables)s, %(matches)s; 95 %% interval of the lead: %(low)s to %(high)s.")
    else:
        text = N_("Behind by %(lead)s after %(tables)s, %(matches)s; 95 %% interval of the lead: %(low)s to %(high)s.")
    return _(text, **played)


def _upshot(page: ComparisonPage) -> str:
    """Return what follows from a test that ended without the answer "better"; empty otherwise."""
    if page.decision == "not better":
        return _("A lead of %(lead)s is ruled out.", lead=percent(page.target + page.delta))
    if page.decision == "undecided":
        return _("More tables, or a larger difference to detect, would give an answer.")
    return ""


def meaning(page: ComparisonPage) -> str:
    """Return the meaning of the evidence as a sentence: Ville's inequality for the capital of a gambler."""
    a, b = _names(page)
    rarity = min(exp(abs(page.llr)), RAREST)
    if rarity < NOTABLE:
        return _("The tables speak for neither answer.")
    often = _("at most 1 in %(number)s", number=number(rarity))
    if rarity == RAREST:
        often = _("fewer than 1 in %(number)s", number=number(rarity))
    if page.llr < 0:
        return _(
            "If %(bot)s led by %(lead)s or more, %(often)s comparisons would ever show evidence this strong "
            "to the contrary.",
            bot=b, lead=charts.percent(page.target + page.delta), often=often,
        )  # fmt: skip
    if page.target:
        return _(
            "If %(bot)s took no more than %(share)s of the points, %(often)s comparisons would ever show evidence "
            "this strong to the contrary.",
            bot=b, share=charts.percent((1 + page.target) / 2), often=often,
        )  # fmt: skip
    return _(
        "If %(bot)s were no better than %(other)s, %(often)s comparisons would ever show evidence this strong "
        "to the contrary.",
        bot=b, other=a, often=often,
    )  # fmt: skip


def _walk(page: ComparisonPage) -> Chart | None:
    """Chart of the evidence after each table; None before the first table."""
    if not page.walk:
        return None
    points = [
        Point(n, value, value, value, (charts.whole(n), charts.decimal(value))) for n, value in enumerate(page.walk, 1)
    ]
    start = Point(0, 0, 0, 0, ("0", "0"))
    x = charts.axis(_("Tables"), 0, max(len(page.walk), MIN_TABLES), charts.whole, 1)
    y = charts.axis(
        _("Evidence that the candidate is better"),
        min(page.lower, *page.walk) - 0.5, max(page.upper, *page.walk) + 0.5,
    )  # fmt: skip
    says = ngettext(
        "%(evidence)s after %(num)s table; %(high)s means better, %(low)s not better.",
        "%(evidence)s after %(num)s tables; %(high)s means better, %(low)s not better.",
        len(page.walk), evidence=number(page.llr, 2), high=number(page.upper, 2), low=number(page.lower, 2),
    )  # fmt: skip
    bounds = (Bound(page.upper, _("better")), Bound(page.lower, _("not better")))
    caption = _(
        "Evidence after each table: the logarithm of the factor by which bets on the candidate (above 0) or against it "
        "(below 0) would have grown. It is not an estimate and has no band. The test ends at a dashed line."
    )
    columns = (_("Table"), _("Evidence"))
    return charts.curve(_("Evidence"), says, caption, x, y, [Line("", [start, *points])], columns, bounds)


def _lead(page: ComparisonPage) -> Chart | None:
    """Chart of the mean lead and its interval, with marks at 0 and at the difference to detect; None if no interval."""
    if page.mean is None or page.interval is None:
        return None
    low, high, wanted = *page.interval, page.target + page.delta
    x = charts.axis(_("Lead, in percent of the maximum"), min(0, low), max(wanted, high), charts.percent)
    ends = _("%(low)s to %(high)s", low=charts.percent(low), high=charts.percent(high))
    says = _(
        "%(lead)s, 95 %% interval %(ends)s; to detect %(wanted)s.",
        lead=charts.percent(page.mean), ends=ends, wanted=charts.percent(wanted),
    )  # fmt: skip
    caption = _(
        "The dot is the candidate's mean lead, the whisker its 95 %% interval. Dashed lines: no lead, and the lead to "
        "detect (%(wanted)s).",
        wanted=charts.percent(wanted),
    )
    point = Point(page.mean, 0, low, high, (charts.percent(page.mean), ends, charts.percent(wanted)))
    title = pgettext("of a bot", "Lead")
    columns = (title, _("%(share)s interval", share=charts.percent(0.95)), _("To detect"))
    return charts.interval(title, says, caption, x, point, (0, wanted), columns)
