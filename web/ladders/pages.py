"""The ladder of a variant: an endless league."""

from typing import Final

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from arena.games.registry import DEFAULT_VARIANT
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.ladders import actions as ladders
from arena.services.ladders import pages as ladder_pages
from arena.words import N_, _
from web.base.actions import Action, confirm
from web.base.forms import Form, creates
from web.base.lists import ROWS
from web.base.shared import shared
from web.base.variants import known, picked
from web.serving.session import arena, organisers_only

bp = Blueprint("ladders", __name__, url_prefix="/ladders")

START: Final = (
    N_("All active bots that play the game are entered now, and later ones when they pass their check."),
    N_("It plays until all ratings are precise, and again when a bot or version is new."),
    N_("Its tables have the lowest priority of all tournaments."),
)


@bp.get("/", defaults={"variant": DEFAULT_VARIANT, "template": "ladders/show.html"})
@bp.get("/<variant>", defaults={"template": "ladders/show.html"})
@bp.get("/<variant>/live", endpoint="live", defaults={"template": "ladders/_live.html"})
@shared("variant")
def show(variant: str, template: str) -> ResponseReturnValue:
    """Show a variant's ladder, or the changing part of its page, which polls this while the ladder runs."""
    if elsewhere := picked():
        return elsewhere
    chosen = known(variant)
    page = ladder_pages.ladder_page(arena(), variant)
    return render_template(template, page=page, variant=chosen, leaders=page.standings[:ROWS])


@bp.route("/<variant>/start", methods=["GET", "POST"])
@organisers_only
@creates()
def start(variant: str) -> ResponseReturnValue:
    """Confirm and start a ladder."""
    chosen = known(variant)

    def act(arena: Arena, account: Account, number: int, form: Form) -> None:
        ladders.start(arena, account, variant)

    action = Action(N_("Start the ladder"), START, N_("The ladder has started."), act)
    back = url_for("ladders.show", variant=variant)
    return confirm(action, Form(), 0, _(chosen.title), back, back)
