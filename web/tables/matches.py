"""A match: result, replay and record."""

import json
from typing import Any, Final, NamedTuple

from flask import Blueprint, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue

from arena.games.events import Json
from arena.games.registry import VARIANTS
from arena.match.frames import framed
from arena.services.analyses import pages as analyses
from arena.services.base.languages import language
from arena.services.numbers import highlights
from arena.services.tables import matches
from arena.words import ENGLISH, N_, speak, spoken
from web.api.operations import TEXT
from web.base.forms import Form
from web.base.lists import chosen, tidied
from web.base.rules import PARTS
from web.base.shared import shared
from web.drawing import pictures
from web.drawing.pictures import UNCHANGING
from web.serving.downloads import sent
from web.serving.security import FRAMED
from web.serving.session import arena, viewer

bp = Blueprint("matches", __name__, url_prefix="/matches")


KINDS: Final = {
    "latest": N_("Latest"),
    "closest": N_("Closest"),
    "upsets": N_("Upsets"),
    "best": N_("Best results"),
    "faults": N_("With faults"),
}
"""Titles of the kinds of lists."""
TOLD: Final = frozenset({"matches.replay", "matches.deals"})
"""Responses that browsers keep and that have a language: one other than English is in their address."""
ENGLISH_ONLY: Final = frozenset(
    {"matches.picture", "matches.step", "matches.drawing", "matches.moves", "matches.text", "matches.record"}
)
"""Responses that browsers keep, in English: the font of pictures has no Chinese, and texts are read by programs."""


class Wanted(NamedTuple):
    """A list of matches."""

    kind: str
    """One of `KINDS`."""
    scope: highlights.Scope
    variant: str | None
    """ID of a variant; None for all."""


@bp.app_url_defaults
def name_language(endpoint: str, values: dict[str, Any]) -> None:
    """Put the language of a page into the addresses of `TOLD`."""
    if endpoint in TOLD and spoken() != ENGLISH:
        values.setdefault("language", spoken().tag)


@bp.before_request
def speak_as_named() -> None:
    """Answer in the language of the address where browsers keep the answer."""
    if request.endpoint in TOLD:
        speak(language(request.args.get("language", "")))
    elif request.endpoint in ENGLISH_ONLY:
        speak(ENGLISH)


@bp.get("/")
@shared("show", "bot", "tournament", "variant")
def index() -> ResponseReturnValue:
    """List matches worth a look: of a bot, a tournament, a bot in a tournament, or the last week."""
    kind, scope, variant = wanted()
    if elsewhere := tidied(**scope._asdict(), show="" if kind == "latest" else kind, variant=variant):
        return elsewhere
    page = highlights.highlights(arena(), kind, scope, variant)
    return render_template("tables/matches/index.html", page=page, kind=kind, kinds=KINDS, scope=scope, variant=variant)


def wanted() -> Wanted:
    """Return the list of matches that the query asks for; invalid filters are ignored."""
    bot, tournament = (request.args.get(name, type=int) for name in ("bot", "tournament"))
    return Wanted(
        chosen("show", KINDS) or "latest", highlights.Scope(bot, tournament), chosen("variant", VARIANTS) or None
    )


@bp.get("/<int:match_id>")
@shared(typed=("step",))
def show(match_id: int) -> ResponseReturnValue:
    """Show a match with its replay, and to owners the failures and output of their bots."""
    page = matches.match_page(arena(), match_id, viewer())
    step = request.args.get("step", type=int)
    shot = pictures.shot_of(match_id, step if step is not None and step >= 0 else None, request.args)
    return render_template(
        "tables/matches/show.html",
        page=page,
        part_steps=matches.STEPS,
        manual_parts=PARTS,
        picture=pictures.address_of(shot),
        position=pictures.words_of(shot),
        analysis=analyses.of_match(arena(), match_id),
        form=Form(),
    )


@bp.get("/<int:match_id>/embed")
def embed(match_id: int) -> ResponseReturnValue:
    """Show the replay alone, for frames of other sites."""
    response = make_response(_embedded(match_id=match_id))
    response.headers["Content-Security-Policy"] = FRAMED
    return response


@shared()
def _embedded(match_id: int) -> ResponseReturnValue:
    return render_template("tables/matches/embed.html", page=matches.match_page(arena(), match_id, None))


@bp.get("/<int:match_id>/picture.png")
@pictures.limit_pictures
def picture(match_id: int) -> ResponseReturnValue:
    """Return a picture that represents a match."""
    return pictures.respond(pictures.png(arena(), pictures.Shot(match_id, None)), "image/png")


@bp.get("/<int:match_id>/steps/<int:step>.png")
@pictures.limit_pictures
def step(match_id: int, step: int) -> ResponseReturnValue:
    """Return a picture of the table after a step of the replay, as everyone or one seat sees it."""
    return pictures.respond(pictures.png(arena(), pictures.shot_of(match_id, step, request.args)), "image/png")


@bp.get("/<int:match_id>/steps/<int:step>.svg")
@pictures.limit_pictures
def drawing(match_id: int, step: int) -> ResponseReturnValue:
    """Return the picture of a step as a drawing that scales."""
    return pictures.respond(pictures.svg(arena(), pictures.shot_of(match_id, step, request.args)), "image/svg+xml")


@bp.get("/<int:match_id>/replay.json")
@shared()
def replay(match_id: int) -> ResponseReturnValue:
    """Return the data of the replay, step by step."""
    return _unsorted(framed(matches.replay_of(arena(), match_id)))


@bp.get("/<int:match_id>/moves/<int:part>.json")
@shared()
def moves(match_id: int, part: int) -> ResponseReturnValue:
    """Return the moves of one part of the replay, with the view and the legal actions of each."""
    return _unsorted(matches.moves_of(arena(), match_id, part))


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


@bp.get("/<int:match_id>/text")
@shared()
def text(match_id: int) -> ResponseReturnValue:
    """Show a match as plain text."""
    response = make_response(matches.text(arena(), match_id))
    response.content_type = TEXT
    response.headers["Cache-Control"] = UNCHANGING
    return response


@bp.get("/<int:match_id>/record.json")
def record(match_id: int) -> ResponseReturnValue:
    """Download the match record, byte for byte as ``arena verify`` checks it."""
    return sent(matches.record_bytes(arena(), match_id), f"match-{match_id}.json", "application/json", UNCHANGING)


def _unsorted(data: dict[str, Json]) -> ResponseReturnValue:
    """Answer with JSON that never changes, in its own order: places and views are shown as they come."""
    response = make_response(json.dumps(data, separators=(",", ":")))
    response.content_type = "application/json"
    response.headers["Cache-Control"] = UNCHANGING
    return response
