"""A match: result, replay and record."""

import json
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
    return render_template("matches/show.html", page=page, part_steps=matches.STEPS, manual_parts=PARTS)


@bp.get("/<int:match_id>/replay.json")
@shared()
def replay(match_id: int) -> ResponseReturnValue:
    """Return the data of the replay, step by step."""
    response = jsonify(matches.replay_of(arena(), match_id))
    response.headers["Cache-Control"] = UNCHANGING
    return response


@bp.get("/<int:match_id>/moves/<int:part>.json")
@shared()
def moves(match_id: int, part: int) -> ResponseReturnValue:
    """Return the moves of one part of the replay, with the view and the legal actions of each."""
    # Not jsonify, which sorts keys: views are shown as they were sent.
    response = make_response(json.dumps(matches.moves_of(arena(), match_id, part), separators=(",", ":")))
    response.content_type = "application/json"
    response.headers["Cache-Control"] = UNCHANGING
    return response


@bp.get("/<int:match_id>/deals.json")
@shared()
def deals(match_id: int) -> ResponseReturnValue:
    """Return the points of each deal in every seating of its cards."""
    response = jsonify(matches.same_deals(arena(), match_id))
    response.headers["Cache-Control"] = UNCHANGING
    return response


@bp.get("/<int:match_id>/printed.json")
def printed(match_id: int) -> ResponseReturnValue:
    """Return what the bots of the viewer printed at each move."""
    return jsonify(matches.printed(arena(), match_id, viewer()))


@bp.get("/<int:match_id>/record.json")
def record(match_id: int) -> ResponseReturnValue:
    """Download the match record, byte for byte as ``arena verify`` checks it."""
    response = make_response(matches.record_bytes(arena(), match_id))
    response.content_type = "application/json"
    response.headers["Content-Disposition"] = f'attachment; filename="match-{match_id}.json"'
    response.headers["Cache-Control"] = UNCHANGING
    response.add_etag()
    return response.make_conditional(request)
