"""Launches from platforms for learning by LTI 1.3: log-in, consent, the class of a course.

A platform's message comes without cookies, because the browser posts it from another site. So the page that receives
it only stores it; the next one, which the browser gets with its cookies, acts on it.
"""

import secrets
from typing import Any, Final
from urllib.parse import urlencode

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    flash,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from wtforms import SelectField, StringField
from wtforms.validators import InputRequired

from arena.games.errors import NotFound, Refused
from arena.services.assignments import pages as assignments
from arena.services.base.names import is_name
from arena.services.lti import courses, deep_links, launches, platforms, rosters, scores
from arena.services.lti.courses import CourseRow
from arena.services.lti.keys import Keys
from arena.services.lti.launches import KEPT, Launch, Login
from arena.services.people import groups, identities
from arena.words import N_, _
from web.base.forms import Form
from web.base.links import complete
from web.serving.limits import limit_provider, limit_registrations
from web.serving.security import cookie_name
from web.serving.session import arena, member, members_only, organisers_only, sign_in, viewer

bp = Blueprint("lti", __name__, url_prefix="/lti")

COOKIE: Final = "arena_launch"
"""Cookie with the nonce of the browser's latest launch."""
FRAMES: Final = frozenset({"iframe", "frame", "embed", "object"})
"""Values of Sec-Fetch-Dest for a page within another one, to which browsers give no cookies."""
FRAMED: Final = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *"
"""Rules of the page with the button: it may be in a frame of any site, as it does nothing but open a window."""


class NameForm(Form):
    """Choice of a name by a new member."""

    name = StringField(
        N_("Name"),
        [InputRequired(N_("Choose a name."))],
        description=N_("3 to 32 letters, digits, hyphens, dots or underscores. Shown with your bots."),
    )


class ClassForm(Form):
    """Choice of the class of a course."""

    group = SelectField(N_("Class"), coerce=int)


class AssignmentForm(Form):
    """Choice of an assignment."""

    assignment = SelectField(N_("Assignment"), coerce=int)


def init_app(app: Flask) -> None:
    """Give the app a memory for the keys of platforms."""
    app.extensions["platform_keys"] = Keys()


@bp.route("/login", methods=["GET", "POST"])
@limit_provider
def log_in() -> ResponseReturnValue:
    """Send the browser back to the platform; from a frame, offer to do so in a new window."""
    given = request.values
    if request.headers.get("Sec-Fetch-Dest") in FRAMES:
        frame = secrets.token_urlsafe(24)
        query = {key: given[key] for key in _ASKED if key in given} | {"frame": frame}
        return _framed("lti/framed.html", window=f"{url_for('.log_in')}?{urlencode(query)}", frame=frame)
    login = Login(*(given.get(key, "") for key in (*_ASKED, "frame")))
    nonce, address = launches.begin(arena(), login, complete(url_for(".launch")))
    away = redirect(address)
    away.set_cookie(cookie_name(COOKIE), nonce, round(KEPT), secure=request.is_secure, httponly=True, samesite="Lax")
    return away


_ASKED: Final = ("iss", "client_id", "login_hint", "lti_message_hint")
"""Parameters of a log-in. The address to which it asks to go is ignored: every launch goes to `launch`."""


@bp.post("/launch")
@limit_provider
def launch() -> ResponseReturnValue:
    """Receive the platform's message."""
    if "id_token" not in request.form:
        raise Refused(_("The platform did not sign you in. Log in there, and open the activity again."))
    keys = current_app.extensions["platform_keys"]
    launches.receive(arena(), keys, request.form["id_token"], request.form.get("state", ""))
    return redirect(url_for(".enter"), 303)


@bp.get("/enter")
def enter() -> ResponseReturnValue:
    """Log the person in, and lead to the class; before, ask for what is missing."""
    launch = _current()
    course = courses.of_launch(arena(), launch)
    if course is None and not launch.message.teaches:
        return render_template("lti/unpublished.html", launch=launch, title=courses.title(launch))
    account = identities.find(arena(), launch.identity)
    if account is None:
        return _consent(launch, NameForm(name=_suggested(launch)))
    first = launches.enter(arena(), launch)
    if viewer() != account:
        if not first:
            raise launches.over()
        sign_in(account)
    if course is None:
        return _choice(launch, ClassForm())
    found, assignment = courses.enter(arena(), account, launch)
    if launch.message.deep is not None:
        return _picking(launch, found, AssignmentForm())
    if assignment is not None:
        return redirect(url_for("assignments.show", assignment_id=assignment))
    if launch.message.teaches and account.may_organise:
        return redirect(url_for("groups.show", group_id=found.group_id))
    return redirect(url_for("assignments.index"))


@bp.post("/register")
@limit_registrations
def register() -> ResponseReturnValue:
    """Create an account for the person, under a name of their choice."""
    launch, form = _current(), NameForm()
    if launch.known_address:
        raise Refused(_("An account has your e-mail address already. Log in to it to link it."))
    if form.validate_on_submit():
        with form.refusals():
            sign_in(identities.register(arena(), launch.identity, form.name.data.strip()))
            return redirect(url_for(".enter"))
    return _consent(launch, form)


@bp.post("/connect")
@members_only
def connect() -> ResponseReturnValue:
    """Link the person's account at the platform to the one that is logged in."""
    identities.connect(arena(), member(), _current().identity)
    return redirect(url_for(".enter"))


@bp.post("/publish")
@organisers_only
def publish() -> ResponseReturnValue:
    """Link the course to a class, as its teacher."""
    launch, form = _current(), ClassForm()
    form.group.choices = _classes(launch)
    if form.validate_on_submit():
        with form.refusals(NotFound):
            group_id = form.group.data or groups.create(arena(), member(), courses.title(launch))
            courses.link(arena(), member(), launch, group_id)
            flash(_("The course is linked. Learners who open the activity join this class."), "success")
            return redirect(url_for(".enter"))
    return _choice(launch, form)


@bp.post("/choose")
@organisers_only
def choose() -> ResponseReturnValue:
    """Choose an assignment as an activity of the course, and answer the platform."""
    launch, form = _current(), AssignmentForm()
    course = courses.of_launch(arena(), launch)
    if course is None:
        return redirect(url_for(".enter"))
    form.assignment.choices = deep_links.choices(arena(), course)
    if form.validate_on_submit():
        with form.refusals(NotFound):
            target = complete(url_for(".launch"))
            found = deep_links.answer(arena(), member(), launch, course, form.assignment.data, target)
            return render_template("lti/chosen.html", launch=launch) if launch.framed else _answer(found)
    return _picking(launch, course, form)


@bp.get("/chosen")
@limit_provider
def chosen() -> ResponseReturnValue:
    """Answer the platform from the frame that waits for the choice."""
    return _answer(deep_links.of_frame(arena(), request.args.get("frame", "")))


@bp.post("/disconnect/<int:platform_id>")
@members_only
def disconnect(platform_id: int) -> ResponseReturnValue:
    """Disconnect the account from a platform."""
    try:
        identities.disconnect(arena(), member(), platforms.get(arena(), platform_id).terms.issuer)
        flash(_("The platform signs you in no more."), "success")
    except Refused as refusal:
        flash(str(refusal), "error")
    return redirect(url_for("own_account.show"))


@bp.get("/keys")
def keys() -> Response:
    """Answer the arena's public keys."""
    return jsonify(platforms.public_keys(arena()))


@bp.get("/configuration")
def configuration() -> Response:
    """Answer a description of the arena, which Canvas and others read."""
    return jsonify(described())


def described() -> dict[str, Any]:
    """Return the description of the arena as a tool."""
    link = {"message_type": "LtiResourceLinkRequest", "target_link_uri": complete(url_for("lti.launch"))}
    deep = {**link, "message_type": "LtiDeepLinkingRequest"}
    placements = [
        {"placement": "course_navigation", "windowTarget": "_blank", **link},
        *({"placement": place, **deep} for place in ("assignment_selection", "link_selection")),
    ]
    return {
        "title": "Suit Arena",
        "description": "Assignments in which programs play card games.",
        "oidc_initiation_url": complete(url_for("lti.log_in")),
        "target_link_uri": complete(url_for("lti.launch")),
        "public_jwk_url": complete(url_for("lti.keys")),
        "scopes": [scores.SCOPE, rosters.SCOPE],
        "extensions": [
            {
                "platform": "canvas.instructure.com",
                "privacy_level": "public",
                "settings": {"text": "Suit Arena", "placements": placements},
            }
        ],
        "custom_fields": {},
    }


def _picking(launch: Launch, course: CourseRow, form: AssignmentForm) -> ResponseReturnValue:
    form.assignment.choices = deep_links.choices(arena(), course)
    return render_template("lti/choose.html", launch=launch, course=course, form=form), form.status


def _answer(found: deep_links.Answer) -> ResponseReturnValue:
    """Show the form that posts an answer to the platform."""
    response = _framed("lti/answer.html", answer=found)
    response.headers["Content-Security-Policy"] = FRAMED.replace("form-action 'none'", f"form-action {found.site}")
    return response


def _framed(template: str, **shown: object) -> Response:
    """Return a page that may be in a frame of any site."""
    response = make_response(render_template(template, **shown))
    response.headers["Content-Security-Policy"] = FRAMED
    return response


def _current() -> Launch:
    return launches.current(arena(), request.cookies.get(cookie_name(COOKIE), ""))


def _consent(launch: Launch, form: NameForm) -> ResponseReturnValue:
    course = courses.of_launch(arena(), launch)
    return render_template("lti/consent.html", launch=launch, form=form, course=course), form.status


def _choice(launch: Launch, form: ClassForm) -> ResponseReturnValue:
    form.group.choices = _classes(launch)
    return render_template("lti/publish.html", launch=launch, form=form, title=courses.title(launch)), form.status


def _classes(launch: Launch) -> list[tuple[int, str]]:
    return [(0, _("A new class: %(title)s", title=courses.title(launch))), *assignments.groups(arena())]


def _suggested(launch: Launch) -> str:
    """Return a name for a new account, from the person's e-mail address; empty if it is no name."""
    name = (launch.message.email or "").partition("@")[0][:32]
    return name if is_name(name) else ""
