"""Courses of platforms that are linked to a class, for its teachers."""

from typing import Final

from flask import Blueprint, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from arena.services.lti import courses, rosters, scores
from arena.words import N_, _
from web.base.actions import Action, confirm, simple
from web.base.forms import Form
from web.serving.session import arena, member, organisers_only

bp = Blueprint("courses", __name__, url_prefix="/lti/courses")


@bp.get("/<int:course_id>")
@organisers_only
def show(course_id: int) -> ResponseReturnValue:
    """Show the grades of a course that were sent, and are to be sent."""
    course = courses.get(arena(), member(), course_id)
    return render_template("lti/course.html", course=course, rows=scores.listed(arena(), member(), course_id))


@bp.post("/<int:course_id>/again")
@organisers_only
def again(course_id: int) -> ResponseReturnValue:
    """Send a grade again."""
    scores.send_again(arena(), member(), course_id, request.form.get("score", 0, int))
    flash(_("The grade is sent again in a moment."), "success")
    return redirect(url_for(".show", course_id=course_id))


@bp.post("/<int:course_id>/members")
@organisers_only
def members(course_id: int) -> ResponseReturnValue:
    """Fetch the people of a course from its platform, and show who has an account. Nothing is stored."""
    course = courses.get(arena(), member(), course_id)
    response = make_response(
        render_template("lti/members.html", course=course, rows=rosters.fetch(arena(), member(), course_id))
    )
    response.headers["Cache-Control"] = "no-store"
    return response


UNLINK: Final = Action(
    N_("Unlink the course"),
    (
        N_("Learners of the course no longer join the class, and no grades are sent. Members stay."),
        N_("A teacher who opens the activity can link the course to another class."),
    ),
    N_("The course is unlinked."),
    simple(courses.unlink),
)


@bp.route("/<int:course_id>/unlink", methods=["GET", "POST"])
@organisers_only
def unlink(course_id: int) -> ResponseReturnValue:
    """Confirm and unlink a course from its class."""
    course = courses.get(arena(), member(), course_id)
    back, after = url_for("courses.show", course_id=course_id), url_for("groups.show", group_id=course.group_id)
    return confirm(UNLINK, Form(), course_id, course.title, back, after)
