"""The account page: password, e-mail address, sessions, download of all data, deletion."""

import tempfile
from typing import Final

from flask import Blueprint, flash, redirect, render_template, send_file, url_for
from flask.typing import ResponseReturnValue
from wtforms import PasswordField, StringField, SubmitField
from wtforms.validators import InputRequired

from arena.games.errors import Refused
from arena.services.people import accounts, identities, keys, notices, sessions
from arena.services.privacy import deletions, exports
from web import openid
from web.forms import Form, NewPasswordForm
from web.limits import limit_confirmations, limit_downloads
from web.session import arena, member, members_only, sign_in, sign_out, token

bp = Blueprint("own_account", __name__, url_prefix="/account")

PRESENT: Final = "Enter your present password."


class PasswordForm(NewPasswordForm):
    """Change of the password."""

    present = PasswordField("Present password", [InputRequired(PRESENT)])
    submit = SubmitField("Change the password")


class EmailForm(Form):
    """Change of the e-mail address."""

    email = StringField("E-mail address", description="Leave it empty to have no address. Only you see it.")
    present = PasswordField("Present password", [InputRequired(PRESENT)])
    submit = SubmitField("Save")


class DeleteForm(Form):
    """Deletion of the account."""

    present = PasswordField("Present password", [InputRequired(PRESENT)])
    submit = SubmitField("Delete your account")


@bp.get("")
@members_only
def show() -> ResponseReturnValue:
    """Show the account."""
    return render_template(
        "own_account/show.html",
        email=accounts.email_of(arena(), member()),
        mails=arena().settings.smtp_url is not None,
        has_password=accounts.has_password(arena(), member()),
        provider_name=openid.name(),
        connected=identities.is_connected(arena(), member()),
        tokens=keys.listed(arena(), member()),
        sessions=sessions.listed(arena(), member(), token()),
        unseen=notices.count_unseen(arena(), member()),
    )


@bp.route("/password", methods=["GET", "POST"])
@limit_confirmations
@members_only
def password() -> ResponseReturnValue:
    """Change the password; all other sessions end."""
    form = PasswordForm()
    if not accounts.has_password(arena(), member()):
        del form.present
    if form.validate_on_submit():
        try:
            present = form.present.data if form.present else ""
            accounts.change_password(arena(), member(), present, form.password.data)
        except Refused as refusal:
            form.refuse(refusal)
        else:
            sign_in(member())
            flash("Your new password is set. Your other sessions have ended.", "success")
            return redirect(url_for(".show"))
    return render_template("own_account/password.html", form=form), form.status


@bp.route("/email", methods=["GET", "POST"])
@limit_confirmations
@members_only
def email() -> ResponseReturnValue:
    """Set or remove the e-mail address."""
    form = EmailForm(email=accounts.email_of(arena(), member()))
    if form.validate_on_submit():
        try:
            accounts.set_email(arena(), member(), form.present.data, (form.email.data or "").strip())
        except Refused as refusal:
            form.refuse(refusal)
        else:
            flash("Your e-mail address is saved." if form.email.data else "Your e-mail address is removed.", "success")
            return redirect(url_for(".show"))
    return render_template("own_account/email.html", form=form), form.status


@bp.post("/sessions/<int:session_id>/end")
@members_only
def end_session(session_id: int) -> ResponseReturnValue:
    """End one of the member's sessions."""
    sessions.end_one(arena(), member(), session_id)
    flash("The session has ended.", "success")
    return redirect(url_for(".show"))


@bp.post("/sessions/end")
@members_only
def end_other_sessions() -> ResponseReturnValue:
    """End all of the member's sessions but this one."""
    sessions.end_others(arena(), member(), token())
    flash("All other sessions have ended.", "success")
    return redirect(url_for(".show"))


@bp.post("/data")
@limit_downloads
@members_only
def data() -> ResponseReturnValue:
    """Download all data of the member."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 -- sent later; sources may have hundreds of megabytes
    exports.write(arena(), member(), file)
    file.seek(0)
    return send_file(file, "application/zip", as_attachment=True, download_name=f"{member().name}.zip")


@bp.route("/delete", methods=["GET", "POST"])
@limit_confirmations
@members_only
def delete() -> ResponseReturnValue:
    """Delete the account."""
    form = DeleteForm()
    if form.validate_on_submit():
        try:
            accounts.confirm(arena(), member(), form.present.data)
            deletions.delete(arena(), member())
        except Refused as refusal:
            form.refuse(refusal)
        else:
            sign_out()
            flash("Your account is deleted.", "info")
            return redirect(url_for("home.index"))
    return render_template("own_account/delete.html", form=form), form.status
