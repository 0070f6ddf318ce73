"""Notices: what a member should know, and may have missed."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena.services import notices
from web.session import arena, member, members_only

bp = Blueprint("notices", __name__)


@bp.get("/notices")
@members_only
def index() -> ResponseReturnValue:
    """One's latest notices. To read the page is to have seen them."""
    rows = notices.of(arena(), member())
    if not all(row.seen for row in rows):
        notices.seen(arena(), member(), rows[0].id)
    return render_template("notices/index.html", notices=rows)
