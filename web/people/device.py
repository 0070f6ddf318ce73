"""Pages on which a member confirms the log-in of a program by its code; `device_api` has what programs ask."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import StringField, SubmitField

from arena.games.errors import NotFound
from arena.services.people import device_logins
from arena.services.people.device_logins import Asked
from arena.words import N_, _
from web.base.forms import Form
from web.people.access_tokens import SAYS
from web.serving.limits import limit, uploader
from web.serving.session import arena, member, members_only

bp = Blueprint("device", __name__)

limit_codes = limit("codes", "10 per minute; 30 per hour", uploader, methods=("GET", "POST"))


class CodeForm(Form):
    """The code that a program shows."""

    code = StringField(N_("Code"), description=N_("Eight letters, such as BCDF-GHJK."))
    submit = SubmitField(N_("Continue"))


@bp.get("/device")
@limit_codes
@members_only
def show() -> ResponseReturnValue:
    """Ask for a code; with one in the address, show what its program asks for."""
    form = CodeForm(request.args)
    if not form.code.data:
        return render_template("people/device/code.html", form=form)
    try:
        asked = device_logins.asked(arena(), member(), form.code.data)
    except NotFound as missing:
        form.refuse(missing)
        return render_template("people/device/code.html", form=form), 404
    return _confirmation(asked)


@bp.post("/device/<any(confirm, refuse):answer>")
@limit_codes
@members_only
def answer(answer: str) -> ResponseReturnValue:
    """Confirm or refuse a program's request."""
    form = CodeForm()
    act = device_logins.confirm if answer == "confirm" else device_logins.refuse
    try:
        act(arena(), member(), form.code.data or "")
    except NotFound as missing:
        form.refuse(missing)
        return render_template("people/device/code.html", form=form), 404
    if answer == "refuse":
        flash(_("The program was refused. It gets no token."), "success")
        return redirect(url_for("own_account.show"))
    return render_template("people/device/done.html")


def _confirmation(asked: Asked) -> str:
    return render_template("people/device/confirm.html", asked=asked, says=SAYS)
