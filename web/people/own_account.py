"""The account page: password, e-mail address, sessions, download of all data, deletion."""

from functools import partial
from typing import Final

from flask import Blueprint, flash, g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from wtforms import PasswordField, StringField, SubmitField
from wtforms.validators import InputRequired

from arena.services.lti import platforms
from arena.services.people import accounts, addresses, identities, keys, notices, sessions
from arena.services.privacy import deletions, exports
from arena.words import N_, _
from web.base.actions import Action, confirm
from web.base.forms import Form, NewPasswordForm
from web.people import openid
from web.serving.background import later
from web.serving.downloads import zipped
from web.serving.limits import limit_confirmations, limit_downloads, limit_mailboxes, limit_mails
from web.serving.session import arena, member, members_only, sign_in, sign_out, token

bp = Blueprint("own_account", __name__, url_prefix="/account")

PRESENT: Final = N_("Enter your present password.")


class PasswordForm(NewPasswordForm):
    """Change of the password."""

    present = PasswordField(N_("Present password"), [InputRequired(PRESENT)])
    submit = SubmitField(N_("Change the password"))


class EmailForm(Form):
    """Change of the e-mail address."""

    email = StringField(N_("E-mail address"), description=N_("Leave it empty to have no address. Only you see it."))
    present = PasswordField(N_("Present password"), [InputRequired(PRESENT)])
    submit = SubmitField(N_("Save"))


class DeleteForm(Form):
    """Deletion of the account."""

    present = PasswordField(N_("Present password"), [InputRequired(PRESENT)])
    submit = SubmitField(N_("Delete your account"))


@bp.get("")
@members_only
def show() -> ResponseReturnValue:
    """Show the account."""
    return render_template(
        "people/own_account/show.html",
        addresses=addresses.addresses(arena(), member()),
        mails=arena().settings.smtp_url is not None,
        has_password=accounts.has_password(arena(), member()),
        provider_name=openid.name(),
        connected=arena().settings.oidc_issuer in identities.issuers(arena(), member()),
        platforms=platforms.of_account(arena(), member()),
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
        with form.refusals():
            present = form.present.data if form.present else ""
            accounts.change_password(arena(), member(), present, form.password.data)
            sign_in(member())
            flash(_("Your new password is set. Your other sessions have ended."), "success")
            return redirect(url_for(".show"))
    return render_template("people/own_account/password.html", form=form), form.status


@bp.route("/email", methods=["GET", "POST"])
@limit_confirmations
@limit_mails
@limit_mailboxes
@members_only
def email() -> ResponseReturnValue:
    """Enter an e-mail address, which gets a link that verifies it, or remove the address."""
    present = addresses.addresses(arena(), member())
    form = EmailForm(email=present.unverified or present.email)
    if form.validate_on_submit():
        with form.refusals():
            done = _change_email(form.present.data, (form.email.data or "").strip())
            flash(done, "success")
            return redirect(url_for(".show"))
    return render_template("people/own_account/email.html", form=form), form.status


def _change_email(password: str, email: str) -> str:
    """Change the e-mail address; return what was done. Raises `Refused`."""
    if not email:
        addresses.remove(arena(), member(), password)
        return _("Your e-mail address is removed.")
    link = addresses.enter(arena(), member(), password, email)
    g.mailed = True  # counts towards the limits
    later(addresses.send, arena(), member(), email, link)
    return _("A mail is on its way to %(email)s. Open the link in it to verify the address.", email=email)


@bp.route("/email/<link>", methods=["GET", "POST"])
@members_only
def verify_email(link: str) -> ResponseReturnValue:
    """Verify an address. To look at the page, as programs that check mail do, does not verify it."""
    found = addresses.verified_by(arena(), member(), link)
    action = Action(
        N_("Verify the address"),
        (
            _(
                "From now on, password resets of %(name)s, and notices if you choose them, are sent to %(email)s.",
                name=member().name,
                email=found,
            ),
        ),
        N_("Your e-mail address is verified."),
        lambda *__: _verify(link),
    )
    back = url_for(".show")
    return confirm(action, Form(), 0, _("Account"), back, back)


def _verify(link: str) -> None:
    former = addresses.verify(arena(), member(), link)
    if former:
        later(addresses.tell_former, arena(), member(), former)


@bp.post("/sessions/<int:session_id>/end")
@members_only
def end_session(session_id: int) -> ResponseReturnValue:
    """End one of the member's sessions."""
    sessions.end_one(arena(), member(), session_id)
    flash(_("The session has ended."), "success")
    return redirect(url_for(".show"))


@bp.post("/sessions/end")
@members_only
def end_other_sessions() -> ResponseReturnValue:
    """End all of the member's sessions but this one."""
    sessions.end_others(arena(), member(), token())
    flash(_("All other sessions have ended."), "success")
    return redirect(url_for(".show"))


@bp.post("/data")
@limit_downloads
@members_only
def data() -> ResponseReturnValue:
    """Download all data of the member."""
    return zipped(partial(exports.write, arena(), member()), f"{member().name}.zip")


@bp.route("/delete", methods=["GET", "POST"])
@limit_confirmations
@members_only
def delete() -> ResponseReturnValue:
    """Delete the account."""
    form = DeleteForm()
    if form.validate_on_submit():
        with form.refusals():
            accounts.confirm(arena(), member(), form.present.data)
            deletions.delete(arena(), member())
            sign_out()
            flash(_("Your account is deleted."), "info")
            return redirect(url_for("home.index"))
    return render_template("people/own_account/delete.html", form=form), form.status
