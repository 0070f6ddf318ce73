"""Games: the list, and the page of a game with its rules, variants, leaders, replays and reference."""

from typing import Final

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from arena.games.registry import GAMES
from arena.sandbox.limits import limits_of
from arena.services.numbers import games
from bots import STARTERS
from web.base.rules import rules_text
from web.base.shared import shared
from web.base.variants import OF
from web.manual.reference import options_of, reference
from web.manual.terms import TERMS
from web.serving.session import arena

bp = Blueprint("games", __name__, url_prefix="/games")

_TITLE_END: Final = "</h1>\n"


@bp.get("/")
@shared()
def index() -> ResponseReturnValue:
    """List the games."""
    return render_template("manual/games/index.html", variants=OF)


@bp.get("/<game>")
@shared()
def show(game: str) -> ResponseReturnValue:
    """Show a game."""
    if game not in GAMES:
        abort(404)
    text = rules_text(game)
    return render_template(
        "manual/games/show.html",
        game=GAMES[game],
        starter=game in STARTERS,
        variants=OF[game],
        text=Markup(text[text.index(_TITLE_END) + len(_TITLE_END) :]),  # noqa: S704 -- rendered without raw HTML
        page=games.game_page(arena(), [variant.id for variant in OF[game]]),
        reference=reference(game),
        options_of=options_of,
        limits=limits_of(arena().settings),
        terms=TERMS,
    )
