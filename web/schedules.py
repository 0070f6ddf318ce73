"""Schedules: tournaments that make themselves, at the times of a cron expression."""

from datetime import datetime
from typing import Final, NamedTuple

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import RadioField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired

from arena.games.errors import Refused
from arena.services import schedules
from arena.services.plans import ENTRY_RULES
from web.actions import Action, confirm, simple
from web.forms import Form
from web.plans import PLANNED, SEATINGS, ZONES, PlanForm, entrants, filled, planned
from web.session import admins_only, arena, member

bp = Blueprint("schedules", __name__, url_prefix="/schedules")


class ScheduleForm(PlanForm):
    """A plan, and when it is to be played."""

    cron = StringField(
        "When",
        [InputRequired("Say when, as a cron expression such as 0 18 * * FRI.")],
        description="Minute, hour, day of the month, month, day of the week: 0 18 * * FRI is every Friday at 18:00.",
    )
    zone = StringField("Time zone", default="UTC", description="The zone in which the times are meant.")
    catch_up = RadioField(
        "After a time in which the arena was down",
        choices=[SelectChoice(value, label) for value, label in schedules.CATCH_UPS.items()],
        default=schedules.SKIP,
    )


class Times(NamedTuple):
    """What an expression comes to."""

    times: list[datetime]
    problem: str | None


@bp.get("/")
def index() -> ResponseReturnValue:
    """Every schedule with its next times."""
    return render_template("schedules/index.html", schedules=schedules.schedules(arena()))


@bp.get("/<int:schedule_id>")
def show(schedule_id: int) -> ResponseReturnValue:
    """One schedule, and the tournaments that it made."""
    page = schedules.schedule_page(arena(), schedule_id)
    words = {"rules": ENTRY_RULES, "seatings": SEATINGS, "catch_ups": schedules.CATCH_UPS}
    return render_template("schedules/show.html", page=page, **words)


@bp.route("/new", methods=["GET", "POST"])
@admins_only
def new() -> ResponseReturnValue:
    """Choose a format, then make a schedule."""
    if "format" not in request.args:
        return render_template("tournaments/formats.html", heading="New schedule", formats=PLANNED.values(), own={})
    form = planned(ScheduleForm, request.args["format"])
    if form.sent():
        try:
            number = schedules.create(
                arena(), member(), form.plan(), form.cron.data, form.zone.data, form.catch_up.data
            )
        except Refused as refusal:
            form.refuse(refusal)
        else:
            return redirect(url_for("schedules.show", schedule_id=number))
    return _planning(form, "New schedule", "Make the schedule", url_for("schedules.index"))


@bp.route("/<int:schedule_id>/edit", methods=["GET", "POST"])
@admins_only
def edit(schedule_id: int) -> ResponseReturnValue:
    """Choose everything about a schedule anew."""
    row = schedules.schedule_page(arena(), schedule_id).row
    back = url_for("schedules.show", schedule_id=schedule_id)
    defaults = {**filled(row.plan), "cron": row.cron, "zone": row.zone, "catch_up": row.catch_up}
    form = planned(ScheduleForm, request.args.get("format", row.plan.format), **defaults)
    if form.sent():
        try:
            schedules.change(
                arena(), member(), schedule_id, form.plan(), form.cron.data, form.zone.data, form.catch_up.data
            )
        except Refused as refusal:
            form.refuse(refusal)
        else:
            flash("The schedule is changed. What it has made already stays as it is.", "success")
            return redirect(back)
    return _planning(form, f"Edit {row.name}", "Save the schedule", back)


@bp.post("/preview")
@admins_only
def preview() -> ResponseReturnValue:
    """The next times of the form as it stands."""
    return render_template("schedules/_times.html", next=times(planned(ScheduleForm, request.args.get("format", ""))))


ACTIONS: Final = {
    "pause": Action(
        "Pause the schedule",
        ("Its times pass until it is resumed; none of them is caught up. Tournaments that it has made go on.",),
        "The schedule is paused.",
        simple(schedules.pause),
    ),
    "resume": Action(
        "Resume the schedule",
        ("It makes tournaments again, from its next time on. What passed in between is not caught up.",),
        "The schedule goes on.",
        simple(schedules.resume),
    ),
    "delete": Action(
        "Delete the schedule",
        ("It is gone for good, and makes no more tournaments. Those that it has made stay.",),
        "The schedule is deleted.",
        simple(schedules.delete),
        grave=True,
    ),
}


@bp.route("/<int:schedule_id>/<any(pause, resume, delete):action>", methods=["GET", "POST"])
@admins_only
def act(schedule_id: int, action: str) -> ResponseReturnValue:
    """Say what an action does, and do it."""
    row = schedules.schedule_page(arena(), schedule_id).row
    back = url_for("schedules.show", schedule_id=schedule_id)
    after = url_for("schedules.index") if action == "delete" else back
    return confirm(ACTIONS[action], Form(), schedule_id, row.name, back, after)


def times(form: ScheduleForm) -> Times:
    """The next times of what the form says so far."""
    if not form.cron.data:
        return Times([], None)
    try:
        return Times(schedules.next_times(form.cron.data, form.zone.data or ""), None)
    except Refused as refusal:
        return Times([], str(refusal))


def _planning(form: ScheduleForm, heading: str, button: str, back: str) -> ResponseReturnValue:
    shown = {"form": form, "heading": heading, "button": button, "back": back, "next": times(form)}
    return render_template("schedules/new.html", entrants=entrants(), formats=PLANNED.values(), zones=ZONES, **shown), (
        form.status
    )
