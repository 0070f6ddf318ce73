"""Bots that are alike, for organisers: the report, pairs, and dismissals."""

from typing import Final

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import TextAreaField
from wtforms.validators import InputRequired, Length

from arena.games.errors import NotFound
from arena.services.copies import actions as copies
from arena.services.copies import pages
from arena.services.copies.actions import LONGEST_REASON
from arena.words import N_, _
from web.base.forms import Form
from web.serving.session import arena, member, organisers_only

bp = Blueprint("copies", __name__, url_prefix="/copies")

QUEUED: Final = N_(
    "The comparison is queued. A worker takes up to a minute for a thousand bots; then reload this page."
)


class DismissForm(Form):
    """Reason for dismissing a pair."""

    reason = TextAreaField(
        N_("Reason"),
        [InputRequired(N_("Enter a reason.")), Length(max=LONGEST_REASON)],
        description=N_("Other organisers read it; the owners of the bots do not."),
        render_kw={"rows": 3, "maxlength": LONGEST_REASON},
    )


@bp.get("/")
@organisers_only
def index() -> ResponseReturnValue:
    """List the pairs of the latest report, by group and whether they are dismissed."""
    group = request.args.get("group", "")
    dismissed = "dismissed" in request.args
    page = max(1, request.args.get("page", 1, type=int))
    report = pages.report(arena(), group=group, dismissed=dismissed, page=page)
    shape = {"page": page, "pages": -(-report.total // pages.PER_PAGE), "dismissed": dismissed}
    return render_template("administration/copies/index.html", report=report, group=group, form=Form(), **shape)


@bp.post("/compare")
@organisers_only
def compare() -> ResponseReturnValue:
    """Queue a comparison of all bots."""
    copies.request(arena(), member())
    flash(_(QUEUED), "info")
    return redirect(url_for("copies.index"))


@bp.route("/<int:a_id>/<int:b_id>", methods=["GET", "POST"])
@organisers_only
def show(a_id: int, b_id: int) -> ResponseReturnValue:
    """Show what two bots have in common, and dismiss the pair."""
    form = DismissForm()
    page = pages.pair(arena(), a_id, b_id)
    if form.validate_on_submit():
        with form.refusals(NotFound):
            copies.dismiss(arena(), member(), a_id, b_id, form.reason.data)
            flash(_("The pair is dismissed."), "success")
            return redirect(url_for("copies.index"))
    return render_template("administration/copies/show.html", page=page, form=form), form.status


@bp.post("/<int:a_id>/<int:b_id>/restore")
@organisers_only
def restore(a_id: int, b_id: int) -> ResponseReturnValue:
    """Show a dismissed pair among the others again."""
    copies.restore(arena(), member(), a_id, b_id)
    flash(_("The pair is shown again."), "success")
    return redirect(url_for("copies.show", a_id=a_id, b_id=b_id))
