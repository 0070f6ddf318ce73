"""Pages of the dailies: today's deals, and everybody on the deals of a day."""

from datetime import date

from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from arena.games.registry import VARIANTS
from arena.services.live import daily
from web.base.forms import Form, creates
from web.play.pages import PRIVATE, limit_tables
from web.play.people import person, seated
from web.play.sets import shown
from web.serving.session import arena

bp = Blueprint("daily", __name__, url_prefix="/play/daily")


@bp.get("")
def index() -> ResponseReturnValue:
    """Show today's dailies."""
    page = render_template("play/daily.html", page=daily.today(arena(), person()), form=Form(), variants=VARIANTS)
    return page, {"Cache-Control": PRIVATE}


@bp.post("/<variant>")
@limit_tables
@creates()
def play(variant: str) -> ResponseReturnValue:
    """Lead to the next deal of today's daily."""
    return redirect(url_for("play.show", code=daily.open_next(arena(), seated(), variant)), 303)


@bp.get("/<day>/<variant>")
def results(day: str, variant: str) -> ResponseReturnValue:
    """Show everybody on the deals of a day."""
    return shown(daily.results(arena(), person(), _date(day), variant))


def _date(text: str) -> date:
    """Return a date. Aborts with 404 if it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        abort(404)
