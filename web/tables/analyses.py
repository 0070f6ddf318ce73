"""Analyses of matches: requests, and what pages show of them."""

from flask import Blueprint, Response, flash, redirect, url_for
from flask.typing import ResponseReturnValue
from msgspec import json

from arena.services.analyses import actions, pages
from arena.words import ngettext
from web.base.shared import shared
from web.base.variants import known
from web.serving.limits import limit_analyses
from web.serving.session import arena, members_only

bp = Blueprint("analyses", __name__)


@bp.get("/matches/<int:match_id>/analysis.json")
@shared()
def show(match_id: int) -> ResponseReturnValue:
    """Return the analysis of a match; null if nobody has asked for it."""
    return Response(json.encode(pages.of_match(arena(), match_id)), content_type="application/json")


@bp.post("/matches/<int:match_id>/analysis")
@limit_analyses
@members_only
def create(match_id: int) -> ResponseReturnValue:
    """Ask for the analysis of a match."""
    actions.request(arena(), match_id)
    return redirect(url_for("matches.show", match_id=match_id, _anchor="analysis"), 303)


@bp.post("/versions/<int:version_id>/analyses/<variant>")
@limit_analyses
@members_only
def create_latest(version_id: int, variant: str) -> ResponseReturnValue:
    """Ask for the analyses of the latest matches of a version."""
    count = actions.request_latest(arena(), version_id, known(variant).id)
    flash(
        ngettext(
            "%(num)s of its latest matches is analysed or waits for it; this page shows it as it is done.",
            "%(num)s of its latest matches are analysed or wait for it; this page shows them as they are done.",
            count,
        )
    )
    return redirect(url_for("statistics.version", version_id=version_id, variant=variant, _anchor="lost"), 303)
