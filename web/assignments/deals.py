"""Sets of deals that an organiser gives a group to play before a deadline, and their results as CSV."""

from typing import Final

from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from wtforms import IntegerField, StringField
from wtforms.validators import InputRequired
from wtforms.widgets import DateTimeLocalInput

from arena.services.live import classes
from arena.services.live.classes import MOST, USUAL
from arena.services.live.tables import Wish
from arena.services.people import rosters
from arena.words import N_, _
from web.base.actions import Action, confirm, simple
from web.base.forms import Form, Needed, creates
from web.play.pages import PlayForm
from web.play.sets import title
from web.serving.downloads import attached
from web.serving.session import arena, member, organisers_only
from web.tournaments.plans import ZONES, PlanForm, moment

bp = Blueprint("deals", __name__)


class DeadlineForm(Form):
    """Deadline of a group's deals."""

    closes = StringField(
        N_("Deadline"),
        [InputRequired(N_("Give the deals a deadline, such as 2030-01-31 18:00."))],
        widget=DateTimeLocalInput(),
        description=N_("Deals that are finished later do not count."),
    )
    zone = StringField(N_("Time zone"), default="UTC", description=N_("Time zone of the deadline."))


class DealsForm(DeadlineForm):
    """Deals for a group."""

    variant = PlanForm.variant
    deals = IntegerField(
        N_("Number of deals"), [Needed(N_("The number of deals must be 1 to %(most)s."), most=MOST)], default=USUAL
    )
    strength = PlayForm.strength

    def offer(self) -> None:
        """Say how many deals there can be."""
        self.deals.description = _("1 to %(most)s. A deal takes a few minutes.", most=MOST)


@bp.route("/groups/<int:group_id>/deals", methods=["GET", "POST"])
@organisers_only
@creates()
def new(group_id: int) -> ResponseReturnValue:
    """Make a set of deals for a group."""
    group = rosters.roster(arena(), member(), group_id)
    form = DealsForm()
    form.offer()
    if form.validate_on_submit():
        with form.refusals():
            wish = Wish(form.variant.data, strength=form.strength.data)
            closes = moment(form.closes.data, form.zone.data or "")
            made = classes.create(arena(), member(), group_id, wish, form.deals.data, closes)
            return redirect(url_for("sets.show", set_id=made))
    return render_template("assignments/deals.html", form=form, group=group, zones=ZONES), form.status


@bp.route("/play/sets/<int:set_id>/deadline", methods=["GET", "POST"])
@organisers_only
def deadline(set_id: int) -> ResponseReturnValue:
    """Move the deadline of a set."""
    found = classes.results(arena(), member(), set_id).set
    form = DeadlineForm()
    if form.validate_on_submit():
        with form.refusals():
            classes.close_at(arena(), member(), set_id, moment(form.closes.data, form.zone.data or ""))
            return redirect(url_for("sets.show", set_id=set_id))
    return render_template("assignments/deadline.html", form=form, found=found, zones=ZONES), form.status


@bp.get("/play/sets/<int:set_id>/results.csv")
@organisers_only
def results(set_id: int) -> ResponseReturnValue:
    """Download the results of a group."""
    found = classes.sheet(arena(), member(), set_id)
    return attached(found, f"deals-{set_id}.csv", "text/csv; charset=utf-8", "no-store")


DELETE: Final = Action(
    N_("Delete the deals"),
    (N_("They are deleted permanently. This is possible only while no member has begun to play them."),),
    N_("The deals are deleted."),
    simple(classes.delete),
    grave=True,
)


@bp.route("/play/sets/<int:set_id>/delete", methods=["GET", "POST"])
@organisers_only
def delete(set_id: int) -> ResponseReturnValue:
    """Delete a set of which nobody has begun a deal."""
    found = classes.results(arena(), member(), set_id).set
    back = url_for("sets.show", set_id=set_id)
    return confirm(DELETE, Form(), set_id, title(found), back, url_for("groups.show", group_id=found.group_id))
