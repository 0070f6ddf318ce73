"""Platforms for learning, for administrators: registration, and what to enter at the platform."""

from dataclasses import fields
from typing import Final

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from wtforms import StringField, TextAreaField
from wtforms.validators import InputRequired

from arena.services.lti import platforms
from arena.services.lti.platforms import Terms
from arena.words import N_, _
from web.base.actions import Action, confirm, simple
from web.base.forms import Form, creates
from web.lti.pages import described
from web.serving.session import admins_only, arena, member

bp = Blueprint("platforms", __name__, url_prefix="/admin/platforms")

NEEDED: Final = [InputRequired(N_("Copy this from the platform."))]


class PlatformForm(Form):
    """Form with the properties of a platform."""

    name = StringField(
        N_("Name"), [InputRequired(N_("Enter a name."))], description=N_("As people know it, such as “Our Moodle”.")
    )
    issuer = StringField(
        N_("Issuer"), NEEDED, description=N_("Moodle: Platform ID. Canvas: https://canvas.instructure.com")
    )
    client_id = StringField(N_("Client ID"), NEEDED)
    auth_url = StringField(N_("Authentication request URL"), NEEDED)
    token_url = StringField(N_("Access token URL"), NEEDED)
    jwks_url = StringField(N_("Public keyset URL"), NEEDED)
    deployments = TextAreaField(
        N_("Deployment IDs"), NEEDED, description=N_("One a line. Launches of other deployments are refused."),
        render_kw={"rows": 2},
    )  # fmt: skip

    def terms(self) -> Terms:
        """Return what was entered."""
        given = {field.name: self[field.name].data for field in fields(Terms)}
        return Terms(**{**given, "deployments": tuple(self.deployments.data.split())})


@bp.route("", methods=["GET", "POST"])
@admins_only
@creates()
def index() -> ResponseReturnValue:
    """List the platforms, and register one."""
    form = PlatformForm()
    if form.validate_on_submit():
        with form.refusals():
            platforms.add(arena(), member(), form.terms())
            flash(_("The platform is registered. Open an activity there to try it."), "success")
            return redirect(url_for("platforms.index"))
    rows = platforms.listed(arena())
    return render_template("lti/platforms.html", rows=rows, form=form, tool=described()), form.status


@bp.route("/<int:platform_id>", methods=["GET", "POST"])
@admins_only
def show(platform_id: int) -> ResponseReturnValue:
    """Change a platform."""
    row = platforms.get(arena(), platform_id)
    form = PlatformForm(**{**vars(row.terms), "deployments": "\n".join(row.terms.deployments)})
    if form.validate_on_submit():
        with form.refusals():
            platforms.change(arena(), member(), platform_id, form.terms())
            flash(_("The platform is saved."), "success")
            return redirect(url_for("platforms.index"))
    return render_template("lti/platform.html", row=row, form=form), form.status


REMOVE: Final = Action(
    N_("Remove the platform"),
    (
        N_("It signs nobody in any more, and its courses are unlinked from their classes."),
        N_("Accounts, groups and results stay. Members without a password need a reset link to log in."),
    ),
    N_("The platform is removed."),
    simple(platforms.remove),
    grave=True,
)


@bp.route("/<int:platform_id>/remove", methods=["GET", "POST"])
@admins_only
def remove(platform_id: int) -> ResponseReturnValue:
    """Confirm and remove a platform."""
    name = platforms.get(arena(), platform_id).terms.name
    back = url_for("platforms.show", platform_id=platform_id)
    return confirm(REMOVE, Form(), platform_id, name, back, url_for("platforms.index"))
