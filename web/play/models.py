"""Pages about language models: what they were asked at a table, and how they fare."""

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue

from arena.games.registry import GAMES, VARIANTS
from arena.services.live import models, noted, tables
from web.base.rules import PARTS
from web.base.shared import shared
from web.play.pages import private, private_json
from web.serving.session import arena, viewer

bp = Blueprint("models", __name__)


@bp.get("/models")
@shared()
def index() -> ResponseReturnValue:
    """Show how language models fare, by variant."""
    return render_template("play/models.html", rows=models.models(arena()))


@bp.get("/play/<code>/notes")
def notes(code: str) -> ResponseReturnValue:
    """Show the notes of a table, beside the replay once there is one."""
    table = tables.look(arena(), None, code)
    game = GAMES[VARIANTS[table.variant].game]
    rows = noted.rows(arena(), viewer(), code)
    page = render_template("play/notes.html", table=table, game=game, rows=rows, parts=PARTS[game.id])
    return private(Response(page))


@bp.get("/play/<code>/notes/<int:number>")
def note(code: str, number: int) -> ResponseReturnValue:
    """Show what a language model was asked and answered for a move."""
    found = noted.note(arena(), viewer(), code, number)
    return private(Response(render_template("play/note.html", code=code, note=found)))


@bp.get("/play/<code>/replay.json")
def replay(code: str) -> ResponseReturnValue:
    """Answer with the frames of a match beside which there are notes."""
    return private_json(noted.replay_of(arena(), viewer(), code))
