"""Leaderboard: the ratings of a variant."""

from typing import Final

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from arena.games.registry import DEFAULT_VARIANT, points_unit
from arena.services.ratings import boards
from arena.words import N_
from web.base.lists import Order, chosen, searched, sorts, tidied
from web.base.shared import shared
from web.base.variants import known, picked
from web.serving.session import arena

bp = Blueprint("leaderboard", __name__, url_prefix="/leaderboard")


ORDERS: Final = {
    "place": Order(N_("Place"), N_("Last place first"), falls=False),
    "change": Order(N_("Most places gained"), N_("Most places lost"), falls=True),
    "name": Order(N_("Name"), N_("Name, Z to A"), falls=False),
    "author": Order(N_("Author"), N_("Author, Z to A"), falls=False),
    "mu": Order(N_("Highest mu"), N_("Lowest mu"), falls=True),
    "sigma": Order(N_("Lowest sigma"), N_("Highest sigma"), falls=False),
    "points": Order(N_("Most points"), N_("Fewest points"), falls=True),
    "tables": Order(N_("Most tables"), N_("Fewest tables"), falls=True),
    "uploaded": Order(N_("Latest upload"), N_("Oldest upload"), falls=True),
}
"""Orders of the leaderboard, by their names in addresses; a hyphen before the name reverses one."""


@bp.get("/", defaults={"variant": DEFAULT_VARIANT})
@bp.get("/<variant>")
@shared("variant", "sort", "page", typed=("search",))
def index(variant: str) -> ResponseReturnValue:
    """List the rated bots of a variant: searched, sorted, and in pages."""
    if elsewhere := picked("search", "sort"):
        return elsewhere
    orders = {name: order for name, order in ORDERS.items() if name != "points" or points_unit(variant)}
    shown, search, sort = known(variant), searched(), chosen("sort", sorts(orders))
    board = boards.board(arena(), variant, request.args.get("page", 1, int), search=search, sort=sort)
    page = board.listed.page if board.listed.page > 1 else None
    if elsewhere := tidied(search=search, sort=sort, page=page):
        return elsewhere
    return render_template(
        "numbers/leaderboard/index.html", board=board, variant=shown, search=search, sort=sort, orders=orders
    )
