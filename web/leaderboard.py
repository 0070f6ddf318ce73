"""Leaderboard: the ratings of a variant."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena.games.registry import DEFAULT_VARIANT
from arena.services.ratings import pages as ratings
from web.session import arena
from web.shared import shared
from web.variants import known

bp = Blueprint("leaderboard", __name__, url_prefix="/leaderboard")


@bp.get("/", defaults={"variant": DEFAULT_VARIANT})
@bp.get("/<variant>")
@shared()
def index(variant: str) -> ResponseReturnValue:
    """List the rated bots of a variant, best first."""
    chosen = known(variant)
    rows = ratings.leaderboard(arena(), variant)
    return render_template("leaderboard/index.html", rows=rows, variant=chosen)
