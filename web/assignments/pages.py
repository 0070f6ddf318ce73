"""Assignments of a class: what to beat and until when, everyone's latest state, and results as CSV."""

from datetime import datetime
from typing import Any, Final

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from msgspec import structs
from wtforms import BooleanField, FloatField, IntegerField, SelectField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired
from wtforms.widgets import DateTimeLocalInput

from arena.games.errors import ArenaError
from arena.services.assignments import actions as assignments
from arena.services.assignments import pages as assignment_pages
from arena.services.assignments import sheets
from arena.services.assignments.inputs import AssignmentTerms, NewAssignment, entered
from arena.services.assignments.points import MOST, parse_places
from arena.services.assignments.terms import LONGEST_NAME, MAX_SHARE, MAX_TABLES, MIN_SHARE, MIN_TABLES
from arena.services.assignments.views import AssignmentPage
from arena.services.formats.balanced import Balanced
from arena.services.formats.registry import PLANNED
from arena.services.live import classes
from arena.words import N_, _
from web.base.actions import Action, confirm, simple
from web.base.forms import Form, Needed, creates
from web.serving.downloads import attached
from web.serving.session import arena, member, members_only, organisers_only
from web.tournaments.plans import ZONES, PlanForm, moment

bp = Blueprint("assignments", __name__, url_prefix="/assignments")

NO_FINAL: Final = "none"
FINALS: Final = {NO_FINAL: N_("No final tournament"), **{one.id: one.title for one in PLANNED.values()}}
CONFIDENCES: Final = {"0.9": N_("90 %: quick"), "0.95": N_("95 %"), "0.99": N_("99 %: few wrong answers, more tables")}
SORTS: Final = {"name": N_("By name"), "points": N_("By points"), "state": N_("By state")}
EVERYONE: Final = 0
"""Choice of all members instead of a group."""


def _points(label: str, wanted: str, default: float, help: str) -> FloatField:
    return FloatField(label, [Needed(wanted, most=MOST)], default=default, description=help)


class TermsForm(Form):
    """Terms of an assignment: name, times, points, final."""

    name = StringField(
        N_("Name"), [InputRequired(N_("Give the assignment a name."))], render_kw={"maxlength": LONGEST_NAME}
    )
    opens = StringField(N_("Opens"), widget=DateTimeLocalInput(), description=N_("Leave it empty to open it now."))
    deadline = StringField(
        N_("Deadline"),
        [InputRequired(N_("Give the assignment a deadline, such as 2030-01-31 18:00."))],
        widget=DateTimeLocalInput(),
        description=N_("Uploads after it do not count."),
    )
    zone = StringField(N_("Time zone"), default="UTC", description=N_("Time zone of both times."))
    valid = _points(
        N_("Points for a valid bot"),
        N_("Points for a valid bot must be a number from 0 to %(most)s."),
        1,
        N_("The last valid version before the deadline counts."),
    )
    beaten = _points(
        N_("Points for beating the reference"),
        N_("Points for beating the reference must be a number from 0 to %(most)s."),
        4,
        N_("For the version that counts."),
    )
    places = StringField(
        N_("Points for places in the final"),
        default="5",
        description=N_(
            "One number falls evenly from the first place to 0 for the last. "
            "Several are for the first, second, third and so on: 10, 8, 6."
        ),
    )
    final = SelectField(
        N_("Final tournament"),
        choices=[SelectChoice(value, label) for value, label in FINALS.items()],
        default=Balanced.id,
        description=N_("Starts by itself after the deadline, with everyone's version that counts."),
    )
    public = BooleanField(N_("Participants see the results of all others by account name"))

    def fields(self, old: AssignmentTerms | None = None) -> dict[str, Any]:
        """Return the fields of the terms; times that were not changed stay as in `old`. Raises `Refused`."""
        return {
            "name": self.name.data or "",
            "opens": self._time(self.opens, old.opens if old else None),
            "deadline": self._time(self.deadline, old.deadline if old else None),
            "valid": self.valid.data,
            "beaten": self.beaten.data,
            "places": parse_places(self.places.data or ""),
            "final": None if self.final.data == NO_FINAL else self.final.data,
            "public": self.public.data,
        }

    def _time(self, field: StringField, old: datetime | None) -> datetime | None:
        if old is not None and (field.data, self.zone.data) == (local(old), "UTC"):
            return old
        return moment(field.data, self.zone.data or "") if field.data else None


class NewForm(TermsForm):
    """A new assignment: the challenge, which cannot be changed later, and the terms."""

    group = SelectField(N_("Group"), coerce=int, description=N_("Only its members see the assignment and take part."))
    variant = PlanForm.variant
    reference = SelectField(N_("Reference bot"), coerce=int, description=N_("The version that must be beaten."))
    share = IntegerField(
        N_("Share of the points, in percent"),
        [
            Needed(
                N_("The share must be a number from %(least)s%% to %(most)s%%."),
                least=100 * MIN_SHARE,
                most=100 * MAX_SHARE,
            )
        ],
        default=55,
        description=N_("A bot must take more than this share of the points between it and the reference."),
    )
    confidence = SelectField(
        N_("Confidence"),
        choices=[SelectChoice(value, label) for value, label in CONFIDENCES.items()],
        default="0.95",
        description=N_("Probability with which an answer is right, at least."),
    )
    tables = IntegerField(
        N_("Maximum tables"),
        [Needed(N_("Enter a number of tables from %(least)s to %(most)s."), least=MIN_TABLES, most=MAX_TABLES)],
        default=150,
        description=N_("A comparison stops when the answer is clear, or without an answer after this many tables."),
    )

    def offer(self) -> None:
        """Set the groups and reference bots to choose from."""
        groups = [SelectChoice(id, name) for id, name in assignment_pages.groups(arena())]
        self.group.choices = [*groups, SelectChoice(EVERYONE, _("All members"))]
        self.reference.choices = [SelectChoice(*one) for one in assignment_pages.references(arena())]

    def given(self) -> NewAssignment:
        """Return the assignment. Raises `Refused`."""
        return NewAssignment(
            **self.fields(),
            variant=self.variant.data,
            reference_id=self.reference.data,
            group_id=self.group.data or None,
            share=self.share.data / 100,
            confidence=float(self.confidence.data),
            tables=self.tables.data,
        )


class EntryForm(Form):
    """Choice of the bot that counts."""

    bot = SelectField(N_("Bot"), coerce=int, validate_choice=False)  # the service says more than “not a valid choice”


@bp.get("/")
@members_only
def index() -> ResponseReturnValue:
    """List the assignments and the sets of deals for groups that the member may see."""
    rows = [*assignment_pages.assignments(arena(), member()), *classes.sets_for(arena(), member())]
    return render_template("assignments/index.html", rows=rows)


@bp.route("/new", methods=["GET", "POST"])
@organisers_only
@creates()
def new() -> ResponseReturnValue:
    """Create an assignment."""
    form = NewForm()
    form.offer()
    if form.validate_on_submit():
        try:
            given = form.given()
            number = assignments.create(arena(), member(), given.challenge(), given.terms(given.variant))
        except ArenaError as refusal:
            form.form_errors.append(str(refusal))
        else:
            return redirect(url_for("assignments.show", assignment_id=number))
    return render_template("assignments/new.html", form=form, zones=ZONES), form.status


@bp.get("/<int:assignment_id>")
@members_only
def show(assignment_id: int) -> ResponseReturnValue:
    """Show an assignment: the own state, and everyone's to organisers and where it is public."""
    return _shown(assignment_pages.assignment_page(arena(), assignment_id, member()))


@bp.post("/<int:assignment_id>")
@members_only
def enter(assignment_id: int) -> ResponseReturnValue:
    """Enter the chosen bot."""
    page = assignment_pages.assignment_page(arena(), assignment_id, member())
    form = _entry(page)
    if form.validate_on_submit():
        with form.refusals():
            assignments.enter(arena(), member(), assignment_id, form.bot.data)
            flash(_("Your bot takes part. Each new version is compared with the reference bot by itself."), "success")
            return redirect(url_for("assignments.show", assignment_id=assignment_id))
    return _shown(page, form)


@bp.get("/<int:assignment_id>/results.csv")
@organisers_only
def results(assignment_id: int) -> ResponseReturnValue:
    """Download the results with points."""
    found = sheets.results(arena(), member(), assignment_id)
    return attached(found, f"assignment-{assignment_id}.csv", "text/csv; charset=utf-8", "no-store")


@bp.route("/<int:assignment_id>/edit", methods=["GET", "POST"])
@organisers_only
def edit(assignment_id: int) -> ResponseReturnValue:
    """Change the terms of an assignment."""
    page = assignment_pages.assignment_page(arena(), assignment_id, member())
    old = entered(page.terms)
    form = TermsForm(**filled(old))
    if form.validate_on_submit():
        with form.refusals():
            given = AssignmentTerms(**form.fields(old))
            assignments.change(arena(), member(), assignment_id, given.terms(page.row.variant, page.terms))
            flash(_("The assignment is saved."), "success")
            return redirect(url_for("assignments.show", assignment_id=assignment_id))
    return render_template("assignments/edit.html", form=form, page=page, zones=ZONES), form.status


DELETE: Final = Action(
    N_("Delete the assignment"),
    (N_("It is deleted permanently. This is possible only while no bot has been compared for it."),),
    N_("The assignment is deleted."),
    simple(assignments.delete),
    grave=True,
)


@bp.route("/<int:assignment_id>/delete", methods=["GET", "POST"])
@organisers_only
def delete(assignment_id: int) -> ResponseReturnValue:
    """Delete an assignment for which nothing was played."""
    page = assignment_pages.assignment_page(arena(), assignment_id, member())
    back = url_for("assignments.show", assignment_id=assignment_id)
    return confirm(DELETE, Form(), assignment_id, page.row.name, back, url_for("assignments.index"))


def filled(terms: AssignmentTerms) -> dict[str, Any]:
    """Return terms as default values of their form, with times in UTC."""
    return {
        **structs.asdict(terms),
        "opens": local(terms.opens),
        "deadline": local(terms.deadline),
        "valid": f"{terms.valid:g}",
        "beaten": f"{terms.beaten:g}",
        "places": ", ".join(f"{one:g}" for one in terms.places),
        "final": terms.final or NO_FINAL,
    }


def local(time: datetime | None) -> str:
    """Return a time as the value of a datetime-local field, in UTC."""
    return f"{time:%Y-%m-%dT%H:%M}" if time else ""


def _entry(page: AssignmentPage) -> EntryForm:
    form = EntryForm(bot=page.me.bot_id if page.me else None)
    form.bot.choices = [SelectChoice(*one) for one in page.bots]
    return form


def _shown(page: AssignmentPage, form: EntryForm | None = None) -> ResponseReturnValue:
    by = request.args.get("by", "")
    key = by if by in SORTS else "name"
    shown = assignment_pages.sorted_by(page.students, key)
    entry = form or _entry(page)
    template = "assignments/show.html"
    return render_template(template, page=page, students=shown, by=key, sorts=SORTS, form=entry), entry.status
