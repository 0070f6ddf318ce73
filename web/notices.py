"""Notices: events that affected a member's bots and tournaments."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from arena.services.people import notices
from web.session import arena, member, members_only

bp = Blueprint("notices", __name__)


@bp.get("/notices")
@members_only
def index() -> ResponseReturnValue:
    """List the member's latest notices and mark them as seen."""
    rows = notices.latest(arena(), member())
    if not all(row.seen for row in rows):
        notices.mark_seen(arena(), member(), rows[0].id)
    return render_template("notices/index.html", notices=rows)
