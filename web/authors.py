"""The page of an author."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena.services.base.names import key
from arena.services.bots import authors
from web.session import arena
from web.shared import figure, shared

bp = Blueprint("authors", __name__, url_prefix="/authors")

_SIZE = 2**13
"""Estimate of the bytes of an author's page in memory."""


@bp.get("/<name>")
@shared()
def show(name: str) -> ResponseReturnValue:
    """Show an author's bots, ratings and results."""
    here = arena()
    page = figure(("author", key(name)), here.database.stamp, lambda: authors.author_page(here, name), lambda _: _SIZE)
    return render_template("authors/show.html", page=page)
