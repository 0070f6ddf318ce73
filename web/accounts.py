"""Registering, logging in and logging out."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import HiddenField, PasswordField, StringField, SubmitField
from wtforms.validators import EqualTo, InputRequired

from arena.games.errors import Refused
from arena.services import accounts, bots
from web.forms import Form
from web.limits import guessing, logging_in, registering
from web.session import arena, member, members_only, safe_next, sign_in, sign_out, viewer

bp = Blueprint("accounts", __name__)


class LogInForm(Form):
    """Name and password."""

    name = StringField("Name", [InputRequired("Type the name that you registered.")])
    password = PasswordField("Password", [InputRequired("Type your password.")])
    next = HiddenField()
    submit = SubmitField("Log in")


class RegisterForm(Form):
    """A new account. There is no mail to reset a password with, so it is typed twice."""

    name = StringField(
        "Name",
        [InputRequired("Choose a name.")],
        description="3 to 32 letters, digits, hyphens, dots or underscores. Everybody sees it next to your bots.",
    )
    password = PasswordField(
        "Password",
        [InputRequired("Choose a password.")],
        description="At least 10 characters. A few words in a row are good.",
    )
    repeat = PasswordField(
        "Password once more", [EqualTo("password", "The two passwords differ. Type the same one twice.")]
    )
    next = HiddenField()
    submit = SubmitField("Register")


@bp.route("/register", methods=["GET", "POST"])
@registering
def register() -> ResponseReturnValue:
    """Make an account and log it in."""
    form = RegisterForm(next=request.args.get("next", ""))
    if form.validate_on_submit():
        try:
            account = accounts.register(arena(), form.name.data.strip(), form.password.data)
        except Refused as refusal:
            form.refuse(refusal)
        else:
            sign_in(account)
            flash(f"Welcome, {account.name}. Here is where your first bot goes.", "success")
            return redirect(safe_next(form.next.data) if form.next.data else url_for("bots.upload"))
    return _page("accounts/register.html", form)


@bp.route("/login", methods=["GET", "POST"])
@logging_in
@guessing
def log_in() -> ResponseReturnValue:
    """Log in, and go where the visitor wanted to go."""
    form = LogInForm(next=request.args.get("next", ""))
    if form.validate_on_submit():
        try:
            account = accounts.log_in(arena(), form.name.data.strip(), form.password.data)
        except Refused as refusal:
            form.refuse(refusal)
        else:
            sign_in(account)
            return redirect(safe_next(form.next.data))
    return _page("accounts/log_in.html", form)


@bp.post("/logout")
def log_out() -> ResponseReturnValue:
    """Log out."""
    sign_out()
    flash("You are logged out.", "info")
    return redirect(url_for("home.index"))


def _page(template: str, form: Form) -> ResponseReturnValue:
    if viewer() and request.method == "GET":
        return redirect(safe_next(request.args.get("next", "")))
    return render_template(template, form=form), form.status


@bp.get("/me")
@members_only
def show() -> ResponseReturnValue:
    """The bots of whoever is logged in."""
    return render_template("accounts/show.html", bots=bots.bots_of(arena(), member()))
