"""Registration, log-in and log-out."""

from contextlib import suppress

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import HiddenField, PasswordField, StringField, SubmitField
from wtforms.validators import EqualTo, InputRequired

from arena.games.errors import NotFound, Refused
from arena.services.base.texts import sentences
from arena.services.bots import pages as bot_pages
from arena.services.people import accounts, groups, invitations, quotas
from arena.services.people.invitations import Offer
from arena.words import N_, _
from web.base.forms import Form, form_key
from web.people import openid
from web.serving.limits import limit_failures, limit_guesses, limit_logins, limit_registrations
from web.serving.session import arena, member, members_only, safe_next, sign_in, sign_out, viewer

bp = Blueprint("accounts", __name__)


class LogInForm(Form):
    """Log-in form."""

    name = StringField(N_("Name"), [InputRequired(N_("Enter your name."))])
    password = PasswordField(N_("Password"), [InputRequired(N_("Enter your password."))])
    next = HiddenField()
    submit = SubmitField(N_("Log in"))


class RegisterForm(Form):
    """Registration form. The password is repeated, because it is not shown."""

    name = StringField(
        N_("Name"),
        [InputRequired(N_("Choose a name."))],
        description=N_("3 to 32 letters, digits, hyphens, dots or underscores. Shown with your bots."),
    )
    password = PasswordField(
        N_("Password"),
        [InputRequired(N_("Choose a password."))],
        description=N_("At least 12 characters. A few unrelated words make a good password."),
    )
    repeat = PasswordField(N_("Repeat password"), [EqualTo("password", N_("The passwords do not match."))])
    next = HiddenField()
    invitation = HiddenField()
    submit = SubmitField(N_("Register"))


@bp.route("/register", methods=["GET", "POST"])
@limit_registrations
def register() -> ResponseReturnValue:
    """Create an account and log in."""
    form = RegisterForm(next=request.args.get("next", ""))
    if form.validate_on_submit():
        with form.refusals(NotFound):
            account = accounts.register(
                arena(), form.name.data.strip(), form.password.data, form.invitation.data or None, form_key()
            )
            sign_in(account)
            joined = [
                _("You are now a member of %(group)s.", group=one.name) for one in groups.groups_of(arena(), account)
            ]
            welcome = _("Welcome, %(name)s.", name=account.name)
            flash(sentences(welcome, *joined, _("You can upload your first bot here.")), "success")
            return redirect(safe_next(form.next.data) if form.next.data else url_for("bots.upload"))
    return _page("people/accounts/register.html", form, offer=_offered(form.invitation.data))


@bp.post("/demo")
@limit_registrations
def try_out() -> ResponseReturnValue:
    """Create a demo's account with a name of its own, and log in."""
    account = accounts.try_out(arena())
    sign_in(account)
    flash(_("Welcome. You are %(name)s, an organiser of this demo.", name=account.name), "success")
    return redirect(url_for("home.index"))


@bp.route("/login", methods=["GET", "POST"])
@limit_logins
@limit_failures
@limit_guesses
def log_in() -> ResponseReturnValue:
    """Log in and continue to the requested page."""
    form = LogInForm(next=request.args.get("next", ""))
    if form.validate_on_submit():
        with form.refusals():
            account = accounts.log_in(arena(), form.name.data.strip(), form.password.data)
            sign_in(account)
            return redirect(safe_next(form.next.data))
    return _page("people/accounts/log_in.html", form)


@bp.post("/logout")
def log_out() -> ResponseReturnValue:
    """Log out."""
    sign_out()
    flash(_("You are logged out."), "info")
    return redirect(url_for("home.index"))


def _page(template: str, form: Form, **more: object) -> ResponseReturnValue:
    if viewer() and request.method == "GET":
        return redirect(safe_next(request.args.get("next", "")))
    return render_template(template, form=form, provider_name=openid.name(), **more), form.status


def _offered(token: str | None) -> Offer | None:
    """Return what the invitation of a form offers; None if there is none that can be used."""
    with suppress(Refused, NotFound):
        return invitations.offer(arena(), token, None) if token else None
    return None


@bp.get("/me")
@members_only
def show() -> ResponseReturnValue:
    """Show the bots of the logged-in account."""
    return render_template(
        "people/accounts/show.html",
        bots=bot_pages.bots_of(arena(), member()),
        teams=bot_pages.invitations(arena(), member()),
        usage=quotas.usage(arena(), member()),
        groups=groups.groups_of(arena(), member()),
    )
