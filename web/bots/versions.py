"""Two versions of a bot side by side: results, sources, and decisions on equal views."""

from typing import Any

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from arena.services.analyses import pages as analyses
from arena.services.versions import pages
from arena.services.versions.diffs import MOST_LINES
from arena.services.versions.views import VersionPair
from arena.words import pgettext
from web.base.shared import shared
from web.serving.session import arena, member, members_only, viewer

bp = Blueprint("versions", __name__, url_prefix="/bots/<int:bot_id>/versions")


@bp.get("/results")
@shared("a", "b", "variant")
def results(bot_id: int) -> ResponseReturnValue:
    """Show the ratings of two versions, and how both fared against the same opponents."""
    pair = _pair(bot_id)
    variant = _variant(pair)
    met = pages.opponents(arena(), pair, variant) if variant else []
    lost = analyses.lost_by(arena(), [pair.a.id, pair.b.id], variant) if variant else []
    return _page("results", pair, variant, rows=pages.results(arena(), pair), opponents=met, lost=lost)


@bp.get("/source")
@members_only
def source(bot_id: int) -> ResponseReturnValue:
    """Show the lines that differ between the sources, to those who may read them."""
    pair = _pair(bot_id)
    files = pages.sources(arena(), member(), pair)
    return _page("source", pair, _variant(pair), files=files, most_lines=MOST_LINES)


@bp.get("/decisions")
@shared("a", "b", "variant")
def decisions(bot_id: int) -> ResponseReturnValue:
    """Show what two versions decided differently on equal views."""
    pair = _pair(bot_id)
    variant = _variant(pair)
    found = pages.decisions(arena(), pair, variant) if variant else None
    return _page("decisions", pair, variant, found=found, phase_word=_phase_word)


def _phase_word(phase: str) -> str:
    """Return the word for a phase of a game."""
    words = {
        "nominate": pgettext("phase", "nominate"),
        "privilege": pgettext("phase", "privilege"),
        "play": pgettext("phase", "play"),
        "packet": pgettext("phase", "packet"),
        "bid": pgettext("phase", "bid"),
        "second_bid": pgettext("phase", "second bid"),
        "pass": pgettext("phase", "pass"),
        "return": pgettext("phase", "return"),
    }
    return words.get(phase, phase.replace("_", " "))


def _pair(bot_id: int) -> VersionPair:
    a, b = (request.args.get(name, type=int) for name in ("a", "b"))
    return pages.pair(arena(), bot_id, a, b, viewer())


def _variant(pair: VersionPair) -> str:
    """Return the variant of the query if either version is rated in it, otherwise the first; empty if there is none."""
    wanted = request.args.get("variant", "")
    return wanted if wanted in pair.variants else next(iter(pair.variants), "")


def _page(name: str, pair: VersionPair, variant: str, **more: Any) -> str:
    return render_template(f"bots/versions/{name}.html", pair=pair, variant=variant, **more)
