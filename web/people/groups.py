"""Groups of members, such as classes: rosters with real names for organisers, in and out as CSV, and a way out."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from flask import Blueprint, Response, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.file import FileField
from wtforms import StringField, TextAreaField
from wtforms.validators import InputRequired
from wtforms.widgets import DateInput

from arena.games.errors import NotFound, Refused
from arena.services.base.texts import sentences
from arena.services.live import classes
from arena.services.lti import courses
from arena.services.people import groups, rosters
from arena.services.people.invitations import last_moment
from arena.services.people.rosters import Import
from arena.words import N_, _, ngettext
from web.base.actions import Action, confirm, simple
from web.base.forms import Form, creates
from web.base.links import join_link
from web.serving.downloads import attached
from web.serving.session import arena, member, members_only, organisers_only

bp = Blueprint("groups", __name__, url_prefix="/groups")

HEAD: Final = "account,real_name\n"
DAYS: Final = 14
"""Days for which an invitation is valid, unless the organiser chooses another end."""


class NameForm(Form):
    """Name of a group."""

    name = StringField(N_("Name"), [InputRequired(N_("Enter a name, such as “Class 4b”."))])


class RealNameForm(Form):
    """Real name of a member."""

    real_name = StringField(N_("Real name"), description=N_("Only organisers see it. Empty if unknown."))


class EndForm(Form):
    """Form with the last day of invitations."""

    until = StringField(
        N_("Last day"), widget=DateInput(), description=N_("Links are valid until the end of this day, in UTC.")
    )

    def end(self) -> datetime:
        """Return the end of the invitations. Raises `Refused` if the date is invalid."""
        try:
            return last_moment(datetime.fromisoformat(self.until.data or "").date())
        except ValueError:
            raise Refused(_("The last day must be a date, such as 2030-01-31.")) from None


class RosterForm(EndForm):
    """Roster as a file or as text; the file takes precedence."""

    file = FileField(N_("CSV file"), render_kw={"accept": ".csv,text/csv"})
    text = TextAreaField(N_("Or type the lines"), default=HEAD)

    def given(self) -> bytes:
        """Return the roster as CSV, and keep the text of a file in the form, so that it can be corrected there."""
        upload = self.file.data
        if not upload or not upload.filename:
            return (self.text.data or "").encode()
        data = bytes(upload.read())
        with suppress(UnicodeDecodeError):
            self.text.data = data.decode("utf-8-sig")
        return data


def in_two_weeks() -> str:
    """Return the usual last day of an invitation."""
    return f"{datetime.now(UTC) + timedelta(days=DAYS):%Y-%m-%d}"


@bp.after_request
def keep_private(response: Response) -> Response:
    """Let no browser or proxy store pages with real names."""
    response.headers["Cache-Control"] = "no-store"
    return response


@bp.get("/")
@organisers_only
def index() -> ResponseReturnValue:
    """List all groups."""
    return render_template("people/groups/index.html", groups=rosters.all_groups(arena(), member()))


@bp.route("/new", methods=["GET", "POST"])
@organisers_only
@creates()
def new() -> ResponseReturnValue:
    """Create a group."""
    form = NameForm()
    if form.validate_on_submit():
        with form.refusals():
            number = groups.create(arena(), member(), form.name.data)
            return redirect(url_for("groups.show", group_id=number))
    return _naming(form, _("New group"), _("Create the group"), url_for("groups.index"), _("Groups"))


@bp.get("/<int:group_id>")
@organisers_only
def show(group_id: int) -> ResponseReturnValue:
    """Show the roster, the courses, the sets of deals and the invitations of a group."""
    page, deals = rosters.roster(arena(), member(), group_id), classes.sets_for(arena(), member(), group_id)
    linked = courses.of_group(arena(), member(), group_id)
    return render_template("people/groups/show.html", page=page, deals=deals, courses=linked)


@bp.route("/<int:group_id>/rename", methods=["GET", "POST"])
@organisers_only
def rename(group_id: int) -> ResponseReturnValue:
    """Rename a group."""
    page = rosters.roster(arena(), member(), group_id)
    back = url_for("groups.show", group_id=group_id)
    form = NameForm(name=page.name)
    if form.validate_on_submit():
        with form.refusals():
            groups.rename(arena(), member(), group_id, form.name.data)
            return redirect(back)
    return _naming(form, _("Rename %(group)s", group=page.name), _("Save the name"), back, page.name)


@bp.route("/<int:group_id>/add", methods=["GET", "POST"])
@organisers_only
def add(group_id: int) -> ResponseReturnValue:
    """Add people to a group by a roster in CSV."""
    page = rosters.roster(arena(), member(), group_id)
    form = RosterForm(until=in_two_weeks())
    problems: tuple[str, ...] = ()
    if form.validate_on_submit():
        try:
            done = rosters.take(arena(), member(), group_id, rosters.parse(form.given()), form.end())
        except rosters.BadRoster as bad:
            problems = bad.problems
        except Refused as refusal:
            form.refuse(refusal)
        else:
            flash(_told(done), "success")
            return redirect(url_for("groups.show", group_id=group_id))
    status = 400 if problems else form.status
    return render_template("people/groups/add.html", page=page, form=form, problems=problems), status


@bp.get("/<int:group_id>/roster.csv")
@organisers_only
def export(group_id: int) -> ResponseReturnValue:
    """Download the roster, with the links of people who have not joined yet."""
    page = rosters.roster(arena(), member(), group_id)
    return attached(rosters.export(page, join_link), f"group-{group_id}.csv", "text/csv; charset=utf-8")


@bp.route("/<int:group_id>/members/<int:user_id>", methods=["GET", "POST"])
@organisers_only
def edit(group_id: int, user_id: int) -> ResponseReturnValue:
    """Change the real name of a member."""
    page, row = _found(group_id, user_id)
    form = RealNameForm(real_name=row.real_name)
    if form.validate_on_submit():
        with form.refusals():
            groups.set_real_name(arena(), member(), group_id, user_id, form.real_name.data or "")
            flash(_("The real name of %(name)s is saved.", name=row.name), "success")
            return redirect(url_for("groups.show", group_id=group_id))
    return render_template("people/groups/member.html", page=page, row=row, form=form), form.status


@bp.route("/<int:group_id>/members/<int:user_id>/remove", methods=["GET", "POST"])
@organisers_only
def remove(group_id: int, user_id: int) -> ResponseReturnValue:
    """Confirm and remove a member."""
    page, row = _found(group_id, user_id)
    action = Action(
        _("Remove %(name)s", name=row.name),
        (
            _("%(name)s leaves %(group)s, and the real name is deleted.", name=row.name, group=page.name),
            _("The account stays."),
        ),
        _("%(name)s is no longer a member.", name=row.name),
        lambda arena, account, number, __: groups.remove(arena, account, number, user_id),
        grave=True,
    )
    back = url_for("groups.show", group_id=group_id)
    return confirm(action, Form(), group_id, page.name, back, back)


DELETE: Final = Action(
    N_("Delete the group"),
    (
        N_("The group is deleted permanently, with the real names of its members. Their accounts and bots stay."),
        N_("Its invitation links are revoked."),
    ),
    N_("The group is deleted."),
    simple(groups.delete),
    grave=True,
)


@bp.route("/<int:group_id>/delete", methods=["GET", "POST"])
@organisers_only
def delete(group_id: int) -> ResponseReturnValue:
    """Confirm and delete a group."""
    page = rosters.roster(arena(), member(), group_id)
    back = url_for("groups.show", group_id=group_id)
    return confirm(DELETE, Form(), group_id, page.name, back, url_for("groups.index"))


LEAVE: Final = Action(
    N_("Leave the group"),
    (
        N_("You are no longer a member, and your real name is deleted there. To come back you need an invitation."),
        N_("Your account, bots and results stay."),
        N_(
            "The group's assignments no longer count your new uploads, and your bots do not enter finals that start "
            "later."
        ),
        N_("The organisers of the group are notified."),
    ),
    N_("You have left the group."),
    simple(groups.leave),
    grave=True,
)


@bp.route("/<int:group_id>/leave", methods=["GET", "POST"])
@members_only
def leave(group_id: int) -> ResponseReturnValue:
    """Confirm and leave a group."""
    back = url_for("accounts.show")
    return confirm(LEAVE, Form(), group_id, groups.own_group(arena(), member(), group_id).name, back, back)


def _naming(form: NameForm, heading: str, button: str, back: str, within: str) -> ResponseReturnValue:
    page = render_template(
        "people/groups/name.html", form=form, heading=heading, button=button, back=back, within=within
    )
    return page, form.status


def _found(group_id: int, user_id: int) -> tuple[rosters.Roster, groups.GroupMemberRow]:
    """Return a group and a member of it. Raises `NotFound`."""
    page = rosters.roster(arena(), member(), group_id)
    for row in page.members:
        if row.member.user_id == user_id:
            return page, row.member
    raise NotFound(_("There is no such member of %(group)s.", group=page.name))


def _told(done: Import) -> str:
    """Return a sentence about an import."""
    said = _(
        "%(added)s; %(renamed)s; %(invited)s.",
        added=ngettext("%(num)s member was added", "%(num)s members were added", done.added),
        renamed=ngettext("%(num)s real name was changed", "%(num)s real names were changed", done.renamed),
        invited=ngettext("%(num)s invitation link was made", "%(num)s invitation links were made", done.invited),
    )
    return sentences(said, _("Download the roster to hand out the links.") if done.invited else "")
