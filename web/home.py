"""The first page: what is going on."""

from typing import Any, Final

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena.services import home, ratings
from arena.services.shapes import HomePage, LeaderRow
from web.session import arena

bp = Blueprint("home", __name__)

SHOWN_VARIANTS: Final = 3
SHOWN_LEADERS: Final = {1: 10, 2: 5, 3: 3}
"""How many leaders of each variant are shown, by how many variants there are to show."""


@bp.get("/")
def index() -> ResponseReturnValue:
    """What is going on."""
    return render_template("home/index.html", **_shown())


@bp.get("/now")
def now() -> ResponseReturnValue:
    """The part of the first page that changes while tournaments run."""
    return render_template("home/_now.html", **_shown())


def _shown() -> dict[str, Any]:
    page = home.home(arena())
    return {"page": page, "leaders": _leaders(page)}


def _leaders(page: HomePage) -> dict[str, list[LeaderRow]]:
    """The best bots of the variants that were played last."""
    played = [match.variant for match in page.matches] + [row.variant for row in page.tournaments]
    found = {variant: rows for variant in dict.fromkeys(played) if (rows := ratings.leaderboard(arena(), variant))}
    shown = list(found)[:SHOWN_VARIANTS]
    return {variant: found[variant][: SHOWN_LEADERS[len(shown)]] for variant in shown}
