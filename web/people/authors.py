"""The page of an author."""

from typing import Final

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena.services.base.names import key
from arena.services.bots import authors
from arena.services.bots.authors import AuthorPage
from web.base.shared import figure, shared
from web.serving.session import arena

bp = Blueprint("authors", __name__, url_prefix="/authors")

ROW: Final = 2**10
"""Bytes of memory that a bot on an author's page takes, about."""


@bp.get("/<name>")
@shared()
def show(name: str) -> ResponseReturnValue:
    """Show an author's bots, ratings and results."""
    return render_template("people/authors/show.html", page=page_of(name))


def page_of(name: str) -> AuthorPage:
    """Return an author's page, computed at most once per change. Raises `NotFound`."""
    here, known = arena(), key(name)
    return figure(("author", known), here.database.stamp, lambda: authors.author_page(here, known), _size)


def _size(page: AuthorPage) -> int:
    return ROW * (8 + len(page.bots) + len(page.archived))
