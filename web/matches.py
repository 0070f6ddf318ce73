"""A match: result, replay and record."""

from flask import Blueprint, Response, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue

from arena.services.tables import matches
from web.session import arena, viewer

bp = Blueprint("matches", __name__, url_prefix="/matches")


@bp.get("/<int:match_id>")
def show(match_id: int) -> ResponseReturnValue:
    """Show a match with its replay, and to owners the failures and output of their bots."""
    return render_template("matches/show.html", page=matches.match_page(arena(), match_id, viewer()))


@bp.get("/<int:match_id>/replay.json")
def replay(match_id: int) -> ResponseReturnValue:
    """Return the data of the replay, step by step."""
    return _unchanging(jsonify(matches.replay_of(arena(), match_id)))


@bp.get("/<int:match_id>/record.json")
def record(match_id: int) -> ResponseReturnValue:
    """Download the match record, byte for byte as ``arena verify`` checks it."""
    response = make_response(matches.record_bytes(arena(), match_id))
    response.content_type = "application/json"
    response.headers["Content-Disposition"] = f'attachment; filename="match-{match_id}.json"'
    return _unchanging(response)


def _unchanging(response: Response) -> ResponseReturnValue:
    response.headers["Cache-Control"] = "public, max-age=86400"
    response.add_etag()
    return response.make_conditional(request)
