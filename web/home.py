"""The front page."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena.services.numbers import home
from web.session import arena
from web.shared import shared

bp = Blueprint("home", __name__)


@bp.get("/")
@shared()
def index() -> ResponseReturnValue:
    """Show the front page."""
    return render_template("home/index.html", page=home.home(arena()))


@bp.get("/now")
@shared()
def now() -> ResponseReturnValue:
    """Show the changing part of the front page, which polls this while tournaments run."""
    return render_template("home/_now.html", page=home.home(arena()))
