"""The front page."""

from time import time
from typing import Final

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena.services.numbers import home
from arena.services.numbers.featured import Featured, featured
from web.base.shared import figure, shared
from web.drawing import pictures
from web.drawing.pictures import limit_pictures, respond
from web.serving.session import arena

bp = Blueprint("home", __name__)

FEATURED_SECONDS: Final = 60
"""Number of seconds for which a featured match stays."""
SIZE: Final = 2**10
"""Approximate size of a featured match in bytes."""


@bp.get("/")
@shared()
def index() -> ResponseReturnValue:
    """Show the front page."""
    return render_template("home/index.html", page=home.home(arena()), featured=featured_match())


@bp.get("/picture.png")
@limit_pictures
def picture() -> ResponseReturnValue:
    """Return the picture of pages that show no match."""
    return respond(pictures.emblem(), "image/png")


@bp.get("/now")
@shared()
def now() -> ResponseReturnValue:
    """Show the changing part of the front page, which polls this while tables are played."""
    return render_template("home/_now.html", page=home.home(arena()))


def featured_match() -> Featured | None:
    """Return the featured match, chosen again when its time is over; None if no match is finished."""
    return figure(("featured",), lambda: int(time() // FEATURED_SECONDS), lambda: featured(arena()), lambda _: SIZE)
