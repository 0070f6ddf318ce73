"""Log-in and registration with an account of the operator's OpenID Connect provider."""

import time
from dataclasses import astuple, replace
from typing import Final

from flask import Blueprint, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from wtforms import SubmitField

from arena.games.errors import Refused
from arena.services.base.names import is_name
from arena.services.base.texts import sentences
from arena.services.people import identities
from arena.services.people.identities import Identity
from arena.words import N_, _
from web.base.forms import Form
from web.people.accounts import RegisterForm
from web.people.openid import provider
from web.serving.limits import limit_provider, limit_registrations
from web.serving.session import arena, member, members_only, safe_next, sign_in, viewer

bp = Blueprint("provider", __name__, url_prefix="/login/provider")

PATIENCE: Final = 1800.0
"""Seconds within which a new member chooses a name."""
_NEXT: Final = "provider_next"
_IDENTITY: Final = "provider_identity"


class NameForm(Form):
    """Choice of a name by a new member."""

    name = RegisterForm.name
    submit = SubmitField(N_("Register"))


@bp.get("")
@limit_provider
def ask() -> ResponseReturnValue:
    """Send the browser to the provider."""
    session[_NEXT] = request.args.get("next", "")
    try:
        return provider().ask(url_for(".callback", _external=True))
    except Refused as refusal:
        return _back(refusal)


@bp.get("/callback")
@limit_provider
def callback() -> ResponseReturnValue:
    """Log in with the account that belongs to the provider's answer, connect it, or ask for the name of a new one."""
    try:
        identity = provider().identity()
        if (account := viewer()) is not None:
            identities.connect(arena(), account, identity)
            flash(_("You can log in with %(provider)s from now on.", provider=provider().name), "success")
            return redirect(url_for("own_account.show"))
        known = identities.find(arena(), identity)
    except Refused as refusal:
        return _back(refusal)
    if known is not None:
        target = safe_next(session.pop(_NEXT, ""))
        sign_in(known)
        return redirect(target)
    asked = replace(identity, name=identity.name[:32])
    session[_IDENTITY] = [*astuple(asked), time.time()]
    return redirect(url_for(".register"))


@bp.route("/name", methods=["GET", "POST"])
@limit_registrations
def register() -> ResponseReturnValue:
    """Let a person whom the provider has confirmed choose a name."""
    *given, since = session.get(_IDENTITY, ("", "", 0.0))
    if time.time() - since > PATIENCE:
        return redirect(url_for("accounts.log_in"))
    identity = Identity(*given)
    form = NameForm(name=identity.name if is_name(identity.name) else "")
    if form.validate_on_submit():
        with form.refusals():
            account = identities.register(arena(), identity, form.name.data.strip())
            target = session.pop(_NEXT, "")
            sign_in(account)
            flash(
                sentences(_("Welcome, %(name)s.", name=account.name), _("You can upload your first bot here.")),
                "success",
            )
            return redirect(safe_next(target) if target else url_for("bots.upload"))
    return render_template("people/accounts/name.html", form=form, provider_name=provider().name), form.status


@bp.post("/disconnect")
@members_only
def disconnect() -> ResponseReturnValue:
    """Disconnect the account from the provider."""
    try:
        identities.disconnect(arena(), member(), arena().settings.oidc_issuer or "")
        flash(
            _("You log in with your password from now on, not with %(provider)s.", provider=provider().name), "success"
        )
    except Refused as refusal:
        flash(str(refusal), "error")
    return redirect(url_for("own_account.show"))


def _back(refusal: Refused) -> ResponseReturnValue:
    """Return to the page from which the browser was sent to the provider."""
    flash(str(refusal), "error")
    return redirect(url_for("own_account.show" if viewer() else "accounts.log_in"))
