"""Replays of finished matches of people: the person's own, analysed, and those of bots with the same cards."""

from typing import Any

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue

from arena.games.registry import GAMES, LEADERBOARDS
from arena.match.frames import framed
from arena.match.moves import part_of
from arena.match.replay import replay
from arena.services.live import results, tables
from arena.services.tables.matches import STEPS
from web.base.rules import PARTS
from web.play.pages import private, private_json
from web.play.people import person
from web.serving.session import arena

bp = Blueprint("replays", __name__, url_prefix="/play")


@bp.get("/<code>/replay")
def own(code: str) -> ResponseReturnValue:
    """Show the person's match, with what each decision was worth."""
    analysis = results.own_analysis(arena(), person(), code)
    return _page("own", code, analysis=analysis, result=results.result(arena(), person(), code), part_steps=STEPS)


@bp.get("/<code>/replay/frames.json")
def own_frames(code: str) -> ResponseReturnValue:
    """Answer with the frames of the person's match."""
    return private_json(framed(replay(results.own_record(arena(), person(), code))))


@bp.get("/<code>/replay/moves/<int:part>.json")
def own_moves(code: str, part: int) -> ResponseReturnValue:
    """Answer with the moves of one part of the person's match, with the view and the legal actions of each."""
    first = part * STEPS
    return private_json(part_of(results.own_record(arena(), person(), code), range(first, first + STEPS)))


@bp.get("/<code>/replay/analysis.json")
def analysis(code: str) -> ResponseReturnValue:
    """Answer with the analysis of the person's decisions; null without one."""
    return private_json(results.own_analysis(arena(), person(), code))


@bp.get("/<code>/field/<int:version>")
def beside(code: str, version: int) -> ResponseReturnValue:
    """Show how a bot played the person's cards."""
    name, _ = results.replay_of(arena(), person(), code, version)
    own = results.result(arena(), person(), code)
    row = next((one for one in own.field if one.version == version), None) if own else None
    return _page("beside", code, name=name, own=own, row=row, version=version)


@bp.get("/<code>/field/<int:version>/replay.json")
def beside_frames(code: str, version: int) -> ResponseReturnValue:
    """Answer with the frames of a bot's match with the person's cards."""
    _, frames = results.replay_of(arena(), person(), code, version)
    return private_json(frames)


def _page(template: str, code: str, **more: Any) -> Response:
    table = tables.look(arena(), person(), code)
    game = GAMES[LEADERBOARDS[table.variant].game]
    return private(
        Response(render_template(f"play/{template}.html", table=table, game=game, parts=PARTS[game.id], **more))
    )
