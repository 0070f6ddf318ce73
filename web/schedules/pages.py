"""Schedules: tournaments that start automatically at times chosen simply or by a cron expression."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from babel.dates import format_skeleton
from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from wtforms import RadioField, SelectField, SelectMultipleField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.widgets import CheckboxInput, ListWidget, TimeInput

from arena.games.errors import Refused
from arena.services.base.languages import locale
from arena.services.formats.plans import ENTRY_RULES, Plan
from arena.services.formats.registry import PLANNED
from arena.services.schedules import actions as schedules
from arena.services.schedules import pages as schedule_pages
from arena.services.schedules.choices import (
    DAY,
    LAST_DAY,
    MONTH,
    MONTH_DAYS,
    WEEK,
    WEEKDAYS,
    Choices,
    choices_of,
    phrase,
)
from arena.services.schedules.crons import Cron, zone_of
from arena.services.schedules.views import CATCH_UPS, SKIP
from arena.words import ENGLISH, N_, _, pgettext, spoken
from web.base.actions import Action, confirm, simple
from web.base.forms import Form, beside_field, creates
from web.base.shared import shared
from web.serving.session import arena, member, organisers_only
from web.tournaments.plans import SEATINGS, ZONES, PlanForm, cost, filled, planned

bp = Blueprint("schedules", __name__, url_prefix="/schedules")


CRON: Final = "cron"
EVERY: Final = {
    DAY: N_("Every day"),
    WEEK: N_("Every week, on chosen days"),
    MONTH: N_("Every month"),
    CRON: N_("By a cron expression"),
}
"""Kinds of times, with their labels."""


def _days() -> list[SelectChoice]:
    return [
        SelectChoice(day, _("the last day") if day == LAST_DAY else _("day %(day)s", day=day)) for day in MONTH_DAYS
    ]


class ScheduleForm(PlanForm):
    """A plan and its times."""

    every = RadioField(N_("When"), choices=[SelectChoice(value, label) for value, label in EVERY.items()], default=WEEK)
    weekdays = SelectMultipleField(
        N_("Days of the week"),
        choices=[SelectChoice(value, label) for value, label in WEEKDAYS.items()],
        default=["FRI"],
        widget=ListWidget(prefix_label=False),
        option_widget=CheckboxInput(),
    )
    day = SelectField(N_("Day of the month"), choices=_days, default="1")
    at = StringField("Time", widget=TimeInput(), default="18:00")
    cron = StringField(N_("Cron expression"))
    zone = StringField(N_("Time zone"), default="UTC")
    catch_up = RadioField(
        N_("Missed times"),
        choices=[SelectChoice(value, label) for value, label in CATCH_UPS.items()],
        default=SKIP,
    )

    def __init__(self, *values: Any, **defaults: Any) -> None:
        super().__init__(*values, **defaults)
        self.at.label.text = pgettext("of the day", "Time")
        self.cron.description = Markup(  # noqa: S704 -- our own text
            _(
                "Minute, hour, day of the month, month, day of the week. "
                '<code class="nowrap">0 18 1,15 * *</code> is at 18:00 on the 1st and the 15th.'
            )
        )

    def validate_at(self, field: StringField) -> None:
        """Refuse an invalid time of the day."""
        if self.every.data != CRON:
            with beside_field():
                Choices(DAY, field.data or "").cron()

    def validate_weekdays(self, field: SelectMultipleField) -> None:
        """Refuse a week without days."""
        if self.every.data == WEEK:
            with beside_field():
                Choices(WEEK, "00:00", field.data or ()).cron()

    def validate_cron(self, field: StringField) -> None:
        """Refuse an invalid cron expression."""
        if self.every.data == CRON:
            with beside_field():
                Cron(self.expression(), "UTC")

    def validate_zone(self, field: StringField) -> None:
        """Refuse an unknown time zone."""
        with beside_field():
            zone_of(field.data or "")

    def expression(self) -> str:
        """Return the cron expression of the times. Raises `Refused` if the choices are incomplete."""
        if self.every.data != CRON:
            return Choices(self.every.data, self.at.data or "", self.weekdays.data or (), self.day.data).cron()
        if not self.cron.data:
            raise Refused(_("Enter a cron expression, such as 0 18 * * FRI, or choose other times."))
        return str(self.cron.data)

    def settings(self) -> tuple[Plan, str, str, str]:
        """Return the plan, the cron expression, its zone and the catch-up policy. Raises `Refused`."""
        return self.plan(), self.expression(), self.zone.data, self.catch_up.data


class Times(NamedTuple):
    """Next times of a form, or the problem with them."""

    words: str
    times: list[datetime]
    problem: str | None


@bp.app_template_filter("weekday_moment")
def weekday_moment(time: datetime, year: bool = True) -> str:
    """Format a time in its own zone with the day of the week: Thu 31 Jan 2030, 18:00."""
    if spoken() == ENGLISH:
        return time.strftime("%a %-d %b %Y, %H:%M" if year else "%a %-d %b, %H:%M")
    day = format_skeleton("yMMMEd" if year else "MMMEd", time.replace(tzinfo=None), locale=locale(spoken().tag))
    return f"{day}, {time:%H:%M}"


@bp.get("/")
@shared()
def index() -> ResponseReturnValue:
    """List all schedules with their next times."""
    return render_template("schedules/index.html", schedules=schedule_pages.schedules(arena()))


@bp.get("/<int:schedule_id>")
@shared()
def show(schedule_id: int) -> ResponseReturnValue:
    """Show a schedule and its tournaments."""
    page = schedule_pages.schedule_page(arena(), schedule_id)
    words = {"rules": ENTRY_RULES, "seatings": SEATINGS, "catch_ups": CATCH_UPS}
    return render_template("schedules/show.html", page=page, **words)


@bp.route("/new", methods=["GET", "POST"])
@organisers_only
@creates()
def new() -> ResponseReturnValue:
    """Choose a format, then create a schedule."""
    if "format" not in request.args:
        return render_template("tournaments/formats.html", heading=_("New schedule"), formats=PLANNED.values(), own={})
    form = planned(ScheduleForm, request.args["format"])
    if form.sent():
        with form.refusals():
            number = schedules.create(arena(), member(), *form.settings())
            return redirect(url_for("schedules.show", schedule_id=number))
    return _planning(form, _("New schedule"), _("Create the schedule"), url_for("schedules.index"))


@bp.route("/<int:schedule_id>/edit", methods=["GET", "POST"])
@organisers_only
def edit(schedule_id: int) -> ResponseReturnValue:
    """Edit a schedule."""
    row = schedule_pages.schedule_page(arena(), schedule_id).row
    back = url_for("schedules.show", schedule_id=schedule_id)
    defaults = {**filled(row.plan), **_chosen(row.cron), "zone": row.zone, "catch_up": row.catch_up}
    form = planned(ScheduleForm, request.args.get("format", row.plan.format), **defaults)
    if form.sent():
        with form.refusals():
            schedules.change(arena(), member(), schedule_id, *form.settings())
            flash(_("The schedule is saved. Existing tournaments do not change."), "success")
            return redirect(back)
    return _planning(form, _("Edit %(name)s", name=row.name), _("Save the schedule"), back)


@bp.post("/preview")
@organisers_only
def preview() -> ResponseReturnValue:
    """Show the next times of an unsaved form, and the cost of each tournament."""
    form = planned(ScheduleForm, request.args.get("format", ""))
    return render_template("schedules/_times.html", form=form, next=times(form), cost=cost(form))


ACTIONS: Final = {
    "run": Action(
        N_("Run the schedule now"),
        (N_("A tournament of its plan starts at once. Its next times do not change."),),
        N_("The tournament has started."),
        simple(schedules.run),
    ),
    "pause": Action(
        N_("Pause the schedule"),
        (N_("No tournaments start until it is resumed; missed times are skipped. Existing tournaments continue."),),
        N_("The schedule is paused."),
        simple(schedules.pause),
    ),
    "resume": Action(
        N_("Resume the schedule"),
        (N_("Tournaments start again from its next time on. Missed times are skipped."),),
        N_("The schedule has resumed."),
        simple(schedules.resume),
    ),
    "delete": Action(
        N_("Delete the schedule"),
        (N_("It is deleted permanently and starts no more tournaments. Existing tournaments stay."),),
        N_("The schedule is deleted."),
        simple(schedules.delete),
        grave=True,
    ),
}


@bp.route("/<int:schedule_id>/<any(run, pause, resume, delete):action>", methods=["GET", "POST"])
@organisers_only
@creates("run")
def act(schedule_id: int, action: str) -> ResponseReturnValue:
    """Confirm and carry out an action."""
    row = schedule_pages.schedule_page(arena(), schedule_id).row
    back = url_for("schedules.show", schedule_id=schedule_id)
    after = url_for("schedules.index") if action == "delete" else back
    return confirm(ACTIONS[action], Form(), schedule_id, row.name, back, after)


def _chosen(cron: str) -> dict[str, Any]:
    """Return a cron expression as default values of its form: as choices if it can be made by them."""
    chosen = choices_of(cron)
    if chosen is None:
        return {"every": CRON, "cron": cron}
    own = {"weekdays": list(chosen.weekdays)} if chosen.weekdays else {}
    return {"every": chosen.every, "at": chosen.at, "day": chosen.day, "cron": cron, **own}


def times(form: ScheduleForm) -> Times:
    """Return the next times of an unsaved form."""
    if not form.every.data or (form.every.data == CRON and not form.cron.data):
        return Times("", [], None)
    try:
        cron = form.expression()
        return Times(phrase(cron), schedule_pages.next_times(cron, form.zone.data or ""), None)
    except Refused as refusal:
        return Times("", [], str(refusal))


def _planning(form: ScheduleForm, heading: str, button: str, back: str) -> ResponseReturnValue:
    shown = {"form": form, "heading": heading, "button": button, "back": back, "next": times(form), "cost": cost(form)}
    return render_template("schedules/new.html", formats=PLANNED.values(), zones=ZONES, **shown), form.status
