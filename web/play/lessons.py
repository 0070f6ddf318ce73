"""Lessons: a game in ten moves on a fixed board. Nothing is stored, so every answer is an address."""

import msgspec
from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from arena.games.registry import GAMES
from arena.match.sentences import plain
from arena.services.live import lessons
from web.base.shared import shared
from web.drawing.cards import DECKS
from web.play.pages import for_script, words

bp = Blueprint("lessons", __name__, url_prefix="/games/<game>/lesson")


@bp.get("")
@shared("number", typed=("token",))
def show(game: str) -> ResponseReturnValue:
    """Show a lesson at one of its decisions, or lead to the next one if the answer is the one that it asks for."""
    lesson = _asked(game)
    if lesson.number != request.args.get("number", 0, int):
        return redirect(url_for("lessons.show", game=game, number=lesson.number), 303)
    says, question = words(lesson.table, GAMES[game].deck)
    told, end, problem = (_plain(lesson, one) for one in (lesson.note, lesson.end, lesson.table.problem))
    state = url_for("lessons.state", game=game)
    return render_template(
        "play/lesson.html", lesson=lesson, table=lesson.table, game=GAMES[game], form=None, says=says,
        question=question, told=told, end=end, problem=problem, src=f"{state}?number={lesson.number}", moves=state,
        action=url_for("lessons.show", game=game),
    )  # fmt: skip


@bp.get("/state.json")
def state(game: str) -> ResponseReturnValue:
    """Answer with what is new at a lesson's table since `steps` frames."""
    lesson = _asked(game)
    told = {"number": lesson.number, "note": lesson.note, "problem": _plain(lesson, lesson.table.problem)}
    body = for_script(lesson.table, request.args.get("steps", 0, int)) | told
    return Response(msgspec.json.encode(body), content_type="application/json")


def _asked(game: str) -> lessons.LessonView:
    return lessons.lesson(game, request.args.get("number", 0, int), request.args.get("token"))


def _plain(lesson: lessons.LessonView, says: str | None) -> str:
    """Return words of a lesson without marks."""
    game = lesson.table.replay["game"]
    return plain(says or "", [seat.name for seat in lesson.table.seats], DECKS[game["deck"]].name)
