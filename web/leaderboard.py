"""Ratings, a page per variant."""

from typing import Final

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue

from arena.games.registry import DEFAULT_VARIANT, GAMES, VARIANTS
from arena.services import ratings
from web.session import arena

bp = Blueprint("leaderboard", __name__, url_prefix="/leaderboard")

OF: Final = {game: [variant for variant in VARIANTS.values() if variant.game == game] for game in GAMES}
"""The variants of each game."""


@bp.get("/", defaults={"variant": DEFAULT_VARIANT})
@bp.get("/<variant>")
def index(variant: str) -> ResponseReturnValue:
    """Every rated bot of one variant, best first."""
    if variant not in VARIANTS:
        abort(404)
    rows = ratings.leaderboard(arena(), variant)
    low = min((row.mu - 3 * row.sigma for row in rows), default=0.0)
    high = max((row.mu + 3 * row.sigma for row in rows), default=50.0)
    return render_template("leaderboard/index.html", rows=rows, low=low, high=high, variant=VARIANTS[variant], of=OF)
