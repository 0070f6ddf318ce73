"""A match: result, replay and record."""

from typing import Final

from flask import Blueprint, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue

from arena.services.tables import matches
from web.manual import PARTS
from web.session import arena, viewer
from web.shared import shared

bp = Blueprint("matches", __name__, url_prefix="/matches")

UNCHANGING: Final = "public, max-age=86400"
"""Cache-Control of what follows from a record."""


@bp.get("/<int:match_id>")
@shared()
def show(match_id: int) -> ResponseReturnValue:
    """Show a match with its replay, and to owners the failures and output of their bots."""
    page = matches.match_page(arena(), match_id, viewer())
    return render_template("matches/show.html", page=page, manual_parts=PARTS)


@bp.get("/<int:match_id>/replay.json")
@shared()
def replay(match_id: int) -> ResponseReturnValue:
    """Return the data of the replay, step by step."""
    response = jsonify(matches.replay_of(arena(), match_id))
    response.headers["Cache-Control"] = UNCHANGING
    return response


@bp.get("/<int:match_id>/record.json")
def record(match_id: int) -> ResponseReturnValue:
    """Download the match record, byte for byte as ``arena verify`` checks it."""
    response = make_response(matches.record_bytes(arena(), match_id))
    response.content_type = "application/json"
    response.headers["Content-Disposition"] = f'attachment; filename="match-{match_id}.json"'
    response.headers["Cache-Control"] = UNCHANGING
    response.add_etag()
    return response.make_conditional(request)
