"""Access tokens on the account page: make and revoke them."""

from collections.abc import Sequence
from typing import Final

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from wtforms import SelectField, SelectMultipleField, StringField, SubmitField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired
from wtforms.widgets import CheckboxInput, ListWidget

from arena.services.people import keys
from arena.services.people.keys import Scope
from arena.words import N_, _, ngettext
from web.base.forms import Form, secret_once
from web.serving.limits import limit_confirmations
from web.serving.session import arena, member, members_only

bp = Blueprint("access_tokens", __name__, url_prefix="/account/tokens")

SAYS: Final = {
    Scope.READ: N_("Read what you see on the pages"),
    Scope.UPLOAD: N_("Upload and manage your bots, try and compare them"),
    Scope.ORGANISE: N_("Run tournaments, schedules and classes"),
    Scope.ADMINISTER: N_("Manage members, all bots and announcements"),
}
"""What each scope allows, in words of the pages."""
LIVES: Final = (7, 30, keys.DAYS, 180, keys.LONGEST)
"""Numbers of days that a member can choose."""


class TokenForm(Form):
    """Name, scopes and life of a new token."""

    name = StringField(
        N_("Name"),
        [InputRequired(N_("Give the token a name."))],
        description=N_("Where you will use it, such as “CI of my bots”."),
    )
    scopes = SelectMultipleField(
        N_("It may"), widget=ListWidget(prefix_label=False), option_widget=CheckboxInput(), default=[Scope.READ]
    )
    days = SelectField(
        N_("It ends after"),
        coerce=int,
        default=keys.DAYS,
    )
    submit = SubmitField(N_("Make the token"))

    def offer(self, scopes: Sequence[Scope]) -> None:
        """Set the scopes that can be chosen, and the lives."""
        self.days.choices = [SelectChoice(days, ngettext("%(num)s day", "%(num)s days", days)) for days in LIVES]
        self.scopes.choices = [SelectChoice(scope, _(SAYS[scope])) for scope in scopes]


@bp.route("/new", methods=["GET", "POST"])
@limit_confirmations
@members_only
def new() -> ResponseReturnValue:
    """Make a token, and show it once."""
    form = TokenForm()
    form.offer(keys.offered(member()))
    if form.validate_on_submit():
        with form.refusals():
            token = secret_once(lambda: keys.make(arena(), member(), form.name.data, form.scopes.data, form.days.data))
            return render_template("people/own_account/token_made.html", token=token), {"Cache-Control": "no-store"}
    return render_template("people/own_account/token_new.html", form=form), form.status


@bp.post("/<int:token_id>/revoke")
@members_only
def revoke(token_id: int) -> ResponseReturnValue:
    """Revoke a token."""
    keys.revoke(arena(), member(), token_id)
    flash(_("The token is revoked."), "success")
    return redirect(url_for("own_account.show", _anchor="tokens"))
