"""Webhooks of a member: addresses to which events are sent, and what became of the deliveries."""

from collections.abc import Callable
from typing import Final

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField, SelectMultipleField, StringField, SubmitField
from wtforms.fields.choices import SelectChoice
from wtforms.widgets import CheckboxInput, ListWidget

from arena.games.errors import Refused
from arena.services.events.kinds import WORDS, EventKind
from arena.services.webhooks import actions, pages
from arena.services.webhooks.addresses import check_url
from arena.words import N_, _
from web.base.forms import Form, beside_field, creates
from web.serving.limits import limit, uploader
from web.serving.session import arena, member, members_only

bp = Blueprint("webhooks", __name__, url_prefix="/account/webhooks")

limit_webhooks: Final = limit("webhooks", "20 per minute; 200 per hour", uploader)
COMMON: Final = (
    EventKind.VERSION_VALIDATED, EventKind.VERSION_REJECTED, EventKind.VERSION_FAULTED, EventKind.BOT_WITHDRAWN,
    EventKind.TOURNAMENT_STARTED, EventKind.TOURNAMENT_FINISHED,
)  # fmt: skip
"""Kinds that a new webhook asks for unless others are chosen."""


class WebhookForm(Form):
    """Address of a webhook, and its events."""

    url = StringField(
        N_("URL"), description=N_("Each event is sent there as a signed POST request, after Standard Webhooks.")
    )
    kinds = SelectMultipleField(
        N_("Events"),
        choices=[SelectChoice(str(kind), WORDS[kind]) for kind in actions.CHOICES],
        default=[str(kind) for kind in COMMON],
        validate_choice=False,
        option_widget=CheckboxInput(),
        widget=ListWidget(),
    )
    everything = BooleanField(N_("Also send public events about bots and tournaments of others"))
    submit = SubmitField(N_("Save"))

    def validate_url(self, field: StringField) -> None:
        """Refuse a URL that webhooks may not have."""
        with beside_field():
            check_url(field.data or "", arena().settings.webhook_networks)


@bp.route("", methods=["GET", "POST"])
@limit_webhooks
@members_only
@creates()
def index() -> ResponseReturnValue:
    """List the member's webhooks, or add one."""
    form = WebhookForm()
    if form.validate_on_submit():
        with form.refusals():
            made = actions.add(arena(), member(), form.url.data or "", form.kinds.data or (), form.everything.data)
            flash(_("The webhook is added. Send a test to see whether it works."), "success")
            return redirect(url_for(".show", webhook_id=made))
    return render_template("webhooks/index.html", form=form, webhooks=pages.listed(arena(), member())), form.status


@bp.route("/<int:webhook_id>", methods=["GET", "POST"])
@limit_webhooks
@members_only
def show(webhook_id: int) -> ResponseReturnValue:
    """Show a webhook with its latest deliveries, or change it."""
    page = pages.page(arena(), member(), webhook_id)
    form = WebhookForm(obj=page.row)
    if form.validate_on_submit():
        chosen = (form.url.data or "", form.kinds.data or (), form.everything.data)
        with form.refusals():
            actions.change(arena(), member(), webhook_id, *chosen)
            flash(_("The webhook is saved."), "success")
            return redirect(url_for(".show", webhook_id=webhook_id))
    return render_template("webhooks/show.html", form=form, page=page, words=WORDS), form.status


@bp.post("/<int:webhook_id>/<any(test, secret, delete):action>")
@limit_webhooks
@members_only
def act(webhook_id: int, action: str) -> ResponseReturnValue:
    """Send a test, change the secret, or delete the webhook."""
    verb, done = _ACTIONS[action]
    return _tried(webhook_id, lambda: verb(arena(), member(), webhook_id), done, action == "delete")


@bp.post("/<int:webhook_id>/again")
@limit_webhooks
@members_only
def again(webhook_id: int) -> ResponseReturnValue:
    """Send a delivery again."""
    delivery = request.form.get("delivery", 0, int)
    done = N_("The delivery is sent again in a moment.")
    return _tried(webhook_id, lambda: actions.send_again(arena(), member(), webhook_id, delivery), done)


_ACTIONS: Final = {
    "test": (actions.test, N_("A test is sent in a moment. Reload this page to see the answer.")),
    "secret": (actions.renew_secret, N_("The webhook has a new secret. Deliveries are signed with it from now on.")),
    "delete": (actions.remove, N_("The webhook is deleted.")),
}
"""Service and message of each action."""


def _tried(webhook_id: int, act: Callable[[], None], done: str, gone: bool = False) -> ResponseReturnValue:
    """Carry out an action and go back to the page, with a message that says what happened."""
    try:
        act()
    except Refused as refusal:
        flash(str(refusal), "error")
    else:
        flash(_(done), "success")
    return redirect(url_for(".index") if gone else url_for(".show", webhook_id=webhook_id))
