"""Administration: members, bots, uploads, announcements and the audit log; for organisers, tables that are stuck."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urljoin

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import SelectField, StringField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired, Length

from arena.services.administration import announcements, bots, members, pages, tables
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import Severity
from arena.services.bots import pages as bot_pages
from arena.services.people import resets
from arena.words import N_, _
from web.base.actions import Action, confirm, simple
from web.base.forms import Form, creates, secret_once
from web.serving.session import admins_only, arena, member, organisers_only

bp = Blueprint("administration", __name__, url_prefix="/admin")

RIGHTS: Final = {"member": (False, False), "organiser": (False, True), "administrator": (True, False)}
"""Rights of each role: those of an administrator, and those of an organiser."""
SEVERITIES: Final = {Severity.INFO: N_("Information"), Severity.WARNING: N_("Warning"), Severity.URGENT: N_("Urgent")}
"""Choices of severities."""
SEVERE: Final = {Severity.INFO: N_("Info"), Severity.WARNING: N_("Warning"), Severity.URGENT: N_("Urgent")}
"""Severities in the list."""
ROLES: Final = {"member": N_("Member"), "organiser": N_("Organiser"), "administrator": N_("Administrator")}
ONLY: Final = {
    "member": N_("Only members"),
    "organiser": N_("Only organisers"),
    "administrator": N_("Only administrators"),
}
"""Filters by role."""
HOURS: Final = {
    1: N_("an hour"),
    4: N_("4 hours"),
    24: N_("a day"),
    3 * 24: N_("3 days"),
    7 * 24: N_("a week"),
    30 * 24: N_("30 days"),
}
"""Durations of announcements."""


class DisableForm(Form):
    """The reason for disabling a member or a bot."""

    reason = StringField(N_("Reason"), [InputRequired(N_("Give a reason."))])


class RoleForm(Form):
    """Choice of a member's role."""

    role = SelectField(N_("Role"), choices=[SelectChoice(role, title) for role, title in ROLES.items()])


class AnnouncementForm(Form):
    """A new announcement."""

    text = StringField(
        N_("Text"),
        [InputRequired(N_("Write the announcement.")), Length(max=announcements.LONGEST)],
        description=N_("One line of at most 300 characters."),
        render_kw={"maxlength": announcements.LONGEST},
    )
    severity = SelectField(N_("Severity"), choices=[SelectChoice(value, label) for value, label in SEVERITIES.items()])
    hours = SelectField(
        N_("Shown for"), coerce=int, default=24, choices=[SelectChoice(hours, text) for hours, text in HOURS.items()]
    )


def _change_role(arena: Arena, account: Account, user_id: int, form: RoleForm) -> None:
    admin, organiser = RIGHTS[form.role.data]
    members.set_rights(arena, account, user_id, admin=admin, organiser=organiser)


MEMBER_ACTIONS: Final = {
    "disable": Action(
        N_("Disable the member"),
        (
            N_("The member is logged out and cannot log in."),
            N_("Their bots enter no new tournaments and leave ladders and leaderboards. Results stay."),
        ),
        N_("The member is disabled."),
        lambda arena, account, user_id, form: members.disable(arena, account, user_id, form.reason.data),
        grave=True,
    ),
    "enable": Action(
        N_("Enable the member"),
        (N_("The member can log in again, and active bots enter new tournaments and ladders again."),),
        N_("The member is enabled."),
        simple(members.enable),
    ),
    "logout": Action(
        N_("End all sessions"),
        (N_("The member is logged out in all browsers, and can log in again."),),
        N_("The sessions have ended."),
        simple(members.log_out),
    ),
    "role": Action(
        N_("Change the role"),
        (
            N_("Organisers run tournaments, schedules and ladders."),
            N_("Administrators also manage people, bots and operations, and read the audit log."),
        ),
        N_("The role is changed."),
        _change_role,
    ),
}
BOT_ACTIONS: Final = {
    "disable": Action(
        N_("Disable the bot"),
        (
            N_(
                "It enters no new tournaments, leaves ladders and leaderboards, and takes no new versions. Results "
                "stay."
            ),
            N_("Its owner cannot undo this. It plays on in running tournaments until you withdraw it there."),
        ),
        N_("The bot is disabled."),
        lambda arena, account, bot_id, form: bots.disable(arena, account, bot_id, form.reason.data),
        grave=True,
    ),
    "enable": Action(
        N_("Enable the bot"),
        (N_("It enters new tournaments and ladders again, if its owner has it active."),),
        N_("The bot is enabled."),
        simple(bots.enable),
    ),
}
RESET: Final = Action(
    N_("Make a reset link"),
    (
        N_("Whoever opens the link chooses a new password. It works once, within a day."),
        N_("Send it to the member over a channel that nobody else reads. The present password works until then."),
    ),
    "",
    lambda *_: None,
)
END: Final = Action(
    N_("End the announcement"),
    (N_("Pages no longer show it."),),
    N_("The announcement has ended."),
    simple(announcements.end),
)


@bp.get("/")
@organisers_only
def index() -> ResponseReturnValue:
    """Redirect to the first page that the account may read."""
    return redirect(url_for("administration.list_members" if member().is_admin else "administration.list_tables"))


@bp.get("/members")
@admins_only
def list_members() -> ResponseReturnValue:
    """List members, searched and filtered."""
    chosen: dict[str, Any] = {"search": request.args.get("search", ""), "only": request.args.get("only", "")}
    listed = pages.members(arena(), _page(), **chosen)
    return render_template("administration/members.html", listed=listed, roles=ONLY, role_words=ROLES, **chosen)


@bp.get("/members/<int:user_id>")
@admins_only
def show_member(user_id: int) -> ResponseReturnValue:
    """Show a member."""
    return render_template("administration/member.html", page=pages.member(arena(), user_id), role_words=ROLES)


@bp.route("/members/<int:user_id>/<any(disable, enable, logout, role):action>", methods=["GET", "POST"])
@admins_only
def act_on_member(user_id: int, action: str) -> ResponseReturnValue:
    """Confirm and carry out an action on a member."""
    row = pages.member(arena(), user_id).row
    back = url_for("administration.show_member", user_id=user_id)
    form = RoleForm(role=row.role) if action == "role" else _reason(N_("Shown to the member at log-in."), action)
    return confirm(MEMBER_ACTIONS[action], form, user_id, row.name, back, back)


@bp.route("/members/<int:user_id>/reset", methods=["GET", "POST"])
@admins_only
def reset(user_id: int) -> ResponseReturnValue:
    """Confirm and make a link that resets a member's password, and show it once."""
    name = pages.member(arena(), user_id).row.name
    form = Form()
    if not form.validate_on_submit():
        back = url_for("administration.show_member", user_id=user_id)
        return render_template("base/confirm.html", action=RESET, form=form, name=name, back=back), form.status
    link = urljoin(request.host_url, secret_once(lambda: resets.make_link(arena(), member(), name)))
    page = render_template("administration/link.html", user_id=user_id, name=name, link=link)
    return page, {"Cache-Control": "no-store"}


@bp.get("/bots")
@admins_only
def list_bots() -> ResponseReturnValue:
    """List bots, searched and filtered."""
    chosen: dict[str, Any] = {"search": request.args.get("search", ""), "only": request.args.get("only", "")}
    return render_template("administration/bots.html", listed=pages.bots(arena(), _page(), **chosen), **chosen)


@bp.route("/bots/<int:bot_id>/<any(disable, enable):action>", methods=["GET", "POST"])
@admins_only
def act_on_bot(bot_id: int, action: str) -> ResponseReturnValue:
    """Confirm and carry out an action on a bot."""
    name = bot_pages.bot_page(arena(), bot_id, member()).name
    back = url_for("bots.show", bot_id=bot_id)
    return confirm(BOT_ACTIONS[action], _reason(N_("Shown to the owner."), action), bot_id, name, back, back)


@bp.get("/tables")
@organisers_only
def list_tables() -> ResponseReturnValue:
    """List tables that the arena gave up, or that wait."""
    kind = request.args.get("kind", "")
    kind = kind if kind in tables.TITLES else tables.FAILED
    listed = tables.stuck(arena(), kind, _page())
    return render_template("administration/tables.html", listed=listed, kind=kind, kinds=tables.TITLES)


@bp.get("/uploads")
@admins_only
def list_uploads() -> ResponseReturnValue:
    """List uploads that wait for validation, or did not pass it."""
    state = request.args.get("state", "")
    listed = pages.uploads(arena(), _page(), state=state)
    return render_template("administration/uploads.html", listed=listed, state=state, states=pages.UPLOADS)


@bp.route("/announcements", methods=["GET", "POST"])
@admins_only
@creates()
def list_announcements() -> ResponseReturnValue:
    """List the latest announcements, and post a new one."""
    form = AnnouncementForm()
    if form.validate_on_submit():
        with form.refusals():
            until = datetime.now(UTC) + timedelta(hours=form.hours.data)
            announcements.post(arena(), member(), form.text.data, form.severity.data, until)
            flash(_("The announcement is on every page now."), "success")
            return redirect(url_for("administration.list_announcements"))
    shown: dict[str, Any] = {"form": form, "rows": announcements.latest(arena()), "severities": SEVERE}
    return render_template("administration/announcements.html", **shown), form.status


@bp.route("/announcements/<int:announcement_id>/end", methods=["GET", "POST"])
@admins_only
def end_announcement(announcement_id: int) -> ResponseReturnValue:
    """Confirm and end an announcement."""
    back = url_for("administration.list_announcements")
    return confirm(END, Form(), announcement_id, _("Announcements"), back, back)


@bp.get("/log")
@admins_only
def list_log() -> ResponseReturnValue:
    """List the audit log, filtered by actor and subject."""
    chosen: dict[str, Any] = {"actor": request.args.get("actor", ""), "subject": request.args.get("subject", "")}
    return render_template("administration/log.html", listed=pages.log(arena(), _page(), **chosen), **chosen)


def _page() -> int:
    return request.args.get("page", 1, int)


def _reason(description: str, action: str) -> Form:
    if action != "disable":
        return Form()
    form = DisableForm()
    form.reason.description = _(description)
    return form
