"""The operations page, for administrators: processes, queue, given-up tables, storage."""

from typing import Final

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from arena.services.health import pages
from arena.services.tournaments import retries
from arena.words import N_, _
from web.base.actions import Action, confirm
from web.base.forms import Form
from web.serving.session import admins_only, arena
from workers import broker

bp = Blueprint("operations", __name__, url_prefix="/operations")

RETRY: Final = Action(
    N_("Put all tables back"),
    (
        N_("All tables that the arena gave up are queued again, in every tournament, with the same bots and deals."),
        N_("Tables of tournaments that have moved on without them stay as they are."),
    ),
    N_("The tables are queued again."),
    lambda arena, account, *_: retries.retry_all(arena, account),
)


@bp.get("/", defaults={"template": "administration/operations/index.html"})
@bp.get("/live", endpoint="live", defaults={"template": "administration/operations/_live.html"})
@admins_only
def index(template: str) -> ResponseReturnValue:
    """Show the page, or its changing part, which it polls."""
    return render_template(template, page=pages.operations(arena()), broker=broker.look(arena().settings.broker_url))


@bp.route("/retry", methods=["GET", "POST"])
@admins_only
def retry() -> ResponseReturnValue:
    """Confirm and put back all given-up tables of the arena."""
    back = url_for("operations.index")
    return confirm(RETRY, Form(), 0, _("Operations"), back, back)
