"""The ladder of a variant: a league without end."""

from typing import Final

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue

from arena.games.registry import DEFAULT_VARIANT
from arena.services import ladders, tournament_pages
from arena.services.context import Arena
from arena.services.shapes import Account
from web import organising
from web.actions import Action, confirm
from web.forms import Form
from web.session import admins_only, arena, viewer
from web.variants import known

bp = Blueprint("ladders", __name__, url_prefix="/ladders")

START: Final = (
    "All active bots that play the game are entered now, and every later one as soon as it has passed its check.",
    "It goes on until somebody cancels it. Its tables come after those of every other tournament.",
)


@bp.get("/", defaults={"variant": DEFAULT_VARIANT})
@bp.get("/<variant>")
def show(variant: str) -> ResponseReturnValue:
    """What is played, by whom, and what came of it."""
    return _page("ladders/show.html", variant)


@bp.get("/<variant>/live")
def live(variant: str) -> ResponseReturnValue:
    """The part of it that changes; polled while it runs."""
    return _page("ladders/_live.html", variant)


@bp.route("/<variant>/start", methods=["GET", "POST"])
@admins_only
def start(variant: str) -> ResponseReturnValue:
    """Say what a ladder does, and start it."""
    chosen = known(variant)

    def act(arena: Arena, account: Account, _: int, __: Form) -> None:
        ladders.start(arena, account, variant)

    action = Action("Start the ladder", START, "The ladder is started.", act)
    back = url_for("ladders.show", variant=variant)
    return confirm(action, Form(), 0, chosen.title, back, back)


def _page(template: str, variant: str) -> ResponseReturnValue:
    chosen = known(variant)
    page = ladders.ladder_page(arena(), variant)
    offered = frozenset[str]()
    if page.row is not None:
        offered = organising.offered(tournament_pages.page(arena(), page.row.id), viewer())
    return render_template(template, page=page, variant=chosen, offered=offered)
