"""Log-in of programs by a code that a member confirms on a page: the device flow of OAuth 2.0 (RFC 8628)."""

from typing import Final

from flask import Blueprint, Response, flash, jsonify, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import StringField, SubmitField

from arena.games.errors import NotFound, Refused
from arena.services.people import device_logins, keys
from arena.services.people.device_logins import Asked, NoToken
from web.access_tokens import SAYS
from web.forms import Form
from web.limits import limit, uploader
from web.session import arena, member, members_only

bp = Blueprint("device", __name__)
programs = Blueprint("device_programs", __name__, url_prefix="/api/v1/device")
"""Addresses for programs, which send no token of a form."""

GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
SCOPES: Final = "read upload"
"""Scopes of a program that names none."""

limit_codes = limit("codes", "10 per minute; 30 per hour", uploader, methods=("GET", "POST"))
limit_requests = limit("device requests", "20 per minute; 200 per hour")
limit_claims = limit("device claims", "60 per minute")


class CodeForm(Form):
    """The code that a program shows."""

    code = StringField("Code", description="Eight letters, such as BCDF-GHJK.")
    submit = SubmitField("Continue")


@bp.get("/device")
@limit_codes
@members_only
def show() -> ResponseReturnValue:
    """Ask for a code; with one in the address, show what its program asks for."""
    form = CodeForm(request.args)
    if not form.code.data:
        return render_template("device/code.html", form=form)
    try:
        asked = device_logins.asked(arena(), member(), form.code.data)
    except NotFound as missing:
        form.refuse(missing)
        return render_template("device/code.html", form=form), 404
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
        return render_template("device/code.html", form=form), 404
    if answer == "refuse":
        flash("The program was refused. It gets no token.", "success")
        return redirect(url_for("own_account.show"))
    return render_template("device/done.html")


def _confirmation(asked: Asked) -> str:
    return render_template("device/confirm.html", asked=asked, says=SAYS)


@programs.post("")
@limit_requests
def ask() -> Response:
    """Begin a log-in: answer with a code for the member and one for the program."""
    client, scope = request.form.get("client_id", ""), request.form.get("scope", SCOPES)
    try:
        codes = device_logins.ask(arena(), client, scope.split())
    except Refused as refusal:
        return _wrong("invalid_request", str(refusal))
    page = url_for("device.show", _external=True)
    site = arena().settings.url
    page = f"{site}{url_for('device.show')}" if site else page
    return _answer(
        {
            "device_code": codes.device,
            "user_code": codes.user,
            "verification_uri": page,
            "verification_uri_complete": f"{page}?code={codes.user}",
            "expires_in": round(device_logins.LIFE),
            "interval": round(device_logins.INTERVAL),
        }
    )


@programs.post("/token")
@limit_claims
def claim() -> Response:
    """Answer with the token of a confirmed log-in, or with the reason why there is none."""
    if request.form.get("grant_type") != GRANT:
        return _wrong("unsupported_grant_type", f"The grant type must be {GRANT}.")
    try:
        granted = device_logins.claim(arena(), request.form.get("device_code", ""))
    except NoToken as reason:
        return _wrong(reason.outcome, str(reason))
    except Refused as refusal:
        return _wrong("access_denied", str(refusal))
    return _answer(
        {
            "access_token": granted.token,
            "token_type": "Bearer",
            "expires_in": round(granted.seconds),
            "scope": " ".join(granted.scopes),
            "account": granted.account.name,
        }
    )


@programs.post("/revoke")
@limit_claims
def revoke() -> Response:
    """Revoke a token (RFC 7009). The answer is the same if there is none."""
    keys.revoke_itself(arena(), request.form.get("token", ""))
    return _answer({})


def _wrong(error: str, description: str) -> Response:
    return _answer({"error": error, "error_description": description}, 400)


def _answer(fields: dict[str, object], status: int = 200) -> Response:
    """Return an answer that no cache may keep."""
    response = make_response(jsonify(fields), status)
    response.headers["Cache-Control"] = "no-store"
    return response
