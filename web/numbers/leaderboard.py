"""Leaderboard: the ratings of a variant."""

from typing import Final

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from arena.games.registry import DEFAULT_VARIANT, points_unit
from arena.services.ratings import boards
from web.base.lists import Order, chosen, searched, sorts, tidied
from web.base.shared import shared
from web.base.variants import known, picked
from web.serving.session import arena

bp = Blueprint("leaderboard", __name__, url_prefix="/leaderboard")


ORDERS: Final = {
    "place": Order("Place", "Last place first", falls=False),
    "change": Order("Most places gained", "Most places lost", falls=True),
    "name": Order("Name", "Name, Z to A", falls=False),
    "author": Order("Author", "Author, Z to A", falls=False),
    "mu": Order("Highest mu", "Lowest mu", falls=True),
    "sigma": Order("Lowest sigma", "Highest sigma", falls=False),
    "points": Order("Most points", "Fewest points", falls=True),
    "tables": Order("Most tables", "Fewest tables", falls=True),
    "uploaded": Order("Latest upload", "Oldest upload", falls=True),
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
