"""Lost passwords: ask for a link by mail, and choose a new password with a link."""

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from wtforms import StringField, SubmitField
from wtforms.validators import InputRequired

from arena.services.people import resets
from arena.words import N_, _
from web.base.forms import Form, NewPasswordForm
from web.serving.background import later
from web.serving.limits import limit_resets
from web.serving.session import arena, sign_in

bp = Blueprint("resets", __name__)

SENT = N_(
    "If there is an account with this name, and it has a verified e-mail address, a link is on its way to it. The link "
    "works once, within a day."
)


class ForgottenForm(Form):
    """Name of the account whose password is lost."""

    name = StringField(N_("Name"), [InputRequired(N_("Enter your name."))])
    submit = SubmitField(N_("Send the link"))


@bp.route("/forgotten", methods=["GET", "POST"])
@limit_resets
def ask() -> ResponseReturnValue:
    """Ask for a link by mail. The answer is the same, and as quick, for known and unknown names."""
    form = ForgottenForm()
    mails = arena().settings.smtp_url is not None
    if mails and form.validate_on_submit():
        later(resets.mail_link, arena(), form.name.data.strip())
        flash(_(SENT), "info")
        return redirect(url_for("accounts.log_in"))
    return render_template("people/resets/ask.html", form=form, mails=mails), form.status


@bp.route("/reset/<token>", methods=["GET", "POST"])
@limit_resets
def choose(token: str) -> ResponseReturnValue:
    """Choose a new password, and log in. To look at the page, as programs that check mail do, does not use the link."""
    form = NewPasswordForm()
    account = resets.holder(arena(), token)
    if form.validate_on_submit():
        with form.refusals():
            account = resets.use(arena(), token, form.password.data)
            sign_in(account)
            flash(_("Your new password is set. All earlier sessions have ended."), "success")
            return redirect(url_for("accounts.show"))
    return render_template("people/resets/choose.html", form=form, name=account.name), form.status
