"""Invitations: links that organisers make, and the page that such a link leads to."""

from typing import Final

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import IntegerField, SelectField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired

from arena.games.errors import NotFound, Refused
from arena.services.people import invitations, rosters
from arena.services.people.invitations import MOST_USES, Offer
from arena.words import N_, _, pgettext
from web.base.actions import Action, confirm, simple
from web.base.forms import Form, creates
from web.base.links import join_link
from web.people import openid
from web.people.accounts import RegisterForm
from web.people.groups import EndForm, in_two_weeks
from web.serving.limits import limit_registrations
from web.serving.session import arena, member, members_only, organisers_only, viewer

bp = Blueprint("invitations", __name__)

CLASS: Final = 30
"""Usual number of uses."""
NO_GROUP: Final = 0
"""Choice of a form that stands for no group."""


class InvitationForm(EndForm):
    """Terms of an invitation."""

    group = SelectField(N_("Group"), coerce=int, description=N_("People who open the link become members of it."))
    uses = IntegerField(
        N_("Number of uses"),
        [InputRequired(N_("The number of uses must be a number from 1 to 1,000."))],
        default=CLASS,
        description=N_("Each person uses the link once."),
        render_kw={"min": 1, "max": MOST_USES},
    )


@bp.get("/invitations/")
@organisers_only
def index() -> ResponseReturnValue:
    """List the latest invitations for anybody."""
    return render_template("people/invitations/index.html", invitations=invitations.invitations(arena(), member()))


@bp.route("/invitations/new", methods=["GET", "POST"])
@organisers_only
@creates()
def new() -> ResponseReturnValue:
    """Make an invitation."""
    form = InvitationForm(until=in_two_weeks(), group=request.args.get("group", NO_GROUP, int))
    known = rosters.all_groups(arena(), member())
    form.group.choices = [
        SelectChoice(NO_GROUP, pgettext("group", "None")),
        *(SelectChoice(row.id, row.name) for row in known),
    ]
    if form.validate_on_submit():
        with form.refusals():
            number = invitations.create(arena(), member(), form.uses.data, form.end(), form.group.data or None)
            return redirect(url_for("invitations.show", invitation_id=number))
    return render_template("people/invitations/new.html", form=form), form.status


@bp.get("/invitations/<int:invitation_id>")
@organisers_only
def show(invitation_id: int) -> ResponseReturnValue:
    """Show a link, large enough for a projector, and who used it."""
    page = invitations.invitation_page(arena(), member(), invitation_id)
    return render_template("people/invitations/show.html", page=page, link=join_link(page.row.token))


REVOKE: Final = Action(
    N_("Revoke the invitation"),
    (N_("The link stops working. People who have used it keep their accounts and stay in the group."),),
    N_("The invitation is revoked."),
    simple(invitations.revoke),
    grave=True,
)


@bp.route("/invitations/<int:invitation_id>/revoke", methods=["GET", "POST"])
@organisers_only
def revoke(invitation_id: int) -> ResponseReturnValue:
    """Confirm and revoke an invitation."""
    row = invitations.invitation_page(arena(), member(), invitation_id).row
    back = url_for("invitations.show", invitation_id=invitation_id)
    after = url_for("groups.show", group_id=row.group_id) if row.group_id else url_for("invitations.index")
    return confirm(REVOKE, Form(), invitation_id, _("Invitation %(id)s", id=row.id), back, after)


@bp.get("/join/<token>")
def join(token: str) -> ResponseReturnValue:
    """Show what an invitation offers: registration to a visitor, its group to a member."""
    try:
        offer = invitations.offer(arena(), token, viewer())
    except (Refused, NotFound) as refusal:
        status = 404 if isinstance(refusal, NotFound) else 410
        return render_template("people/invitations/refused.html", reason=refusal, token=token), status
    return _joining(offer) if viewer() else _registering(offer)


@bp.post("/join/<token>")
@limit_registrations
@members_only
def accept(token: str) -> ResponseReturnValue:
    """Join the group of an invitation."""
    try:
        group = invitations.join(arena(), member(), token)
    except (Refused, NotFound):
        return redirect(url_for("invitations.join", token=token))  # which gives the reason
    flash(_("You are now a member of %(group)s.", group=group), "success")
    return redirect(url_for("accounts.show"))


def _joining(offer: Offer) -> ResponseReturnValue:
    return render_template("people/invitations/join.html", offer=offer)


def _registering(offer: Offer) -> ResponseReturnValue:
    form = RegisterForm(invitation=offer.token)
    return render_template("people/accounts/register.html", form=form, offer=offer, provider_name=openid.name())
