"""The first page: what is going on."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena.services import home
from web.session import arena

bp = Blueprint("home", __name__)


@bp.get("/")
def index() -> ResponseReturnValue:
    """What is going on."""
    return render_template("home/index.html", page=home.home(arena()))


@bp.get("/now")
def now() -> ResponseReturnValue:
    """The part of the first page that changes while tournaments run."""
    return render_template("home/_now.html", page=home.home(arena()))
