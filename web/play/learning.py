"""Learning tools at a person's own table: moves can be taken back, and hints asked for."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from arena.games.errors import Conflict
from arena.games.registry import GAMES, VARIANTS
from arena.services.live import learning, tables
from web.base.forms import Form
from web.play.pages import PRIVATE, answer, limit_moves, private_json, words
from web.play.people import person, seated
from web.serving.limits import client, limit
from web.serving.session import arena

bp = Blueprint("learning", __name__, url_prefix="/play")

limit_hints = limit("hints", "60 per minute; 1000 per hour", client)


@bp.post("/<code>/undo")
@limit_moves
def undo(code: str) -> ResponseReturnValue:
    """Take back the person's last decision; answer with the table, or lead back to it."""
    refusal = None
    try:
        learning.undo(arena(), seated(), code)
    except Conflict as refused:
        refusal = refused
    if _wants_json():
        return answer(tables.look(arena(), person(), code), refusal)
    if refusal:
        flash(str(refusal), "error")
    return redirect(url_for("play.show", code=code), 303)


@bp.get("/<code>/hint")
@limit_hints
def hint(code: str) -> ResponseReturnValue:
    """Answer with estimates of the person's legal actions, or show them as a list."""
    wants_json = _wants_json()
    try:
        found = learning.hint(arena(), person(), code)
    except Conflict as refusal:
        if wants_json:
            return private_json({"problem": str(refusal)}, 409)
        flash(str(refusal), "error")
        return redirect(url_for("play.show", code=code), 303)
    if wants_json:
        return private_json(found)
    table = tables.look(arena(), person(), code)
    question = words(table, GAMES[VARIANTS[table.variant].game].deck)[1]
    page = render_template("play/hint.html", table=table, hint=found, question=question, form=Form())
    return page, {"Cache-Control": PRIVATE}


def _wants_json() -> bool:
    return request.accept_mimetypes.best == "application/json"
