"""The variant of a page."""

from typing import Any, Final

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import SelectChoice

from arena.games.base import Variant
from arena.games.registry import GAMES, LEADERBOARDS, VARIANTS

OF: Final = {game: [variant for variant in VARIANTS.values() if variant.game == game] for game in GAMES}
"""Variants by game."""


def known(variant: str) -> Variant:
    """Return the variant with this id. Aborts with 404 if there is none."""
    if variant not in LEADERBOARDS:
        abort(404)
    return LEADERBOARDS[variant]


def choice(variant: Variant) -> SelectChoice:
    """Return a variant as a choice of a form."""
    return SelectChoice(variant.id, variant.title, optgroup=GAMES[variant.game].title)


def picked(*names: str) -> ResponseReturnValue | None:
    """Return a redirect to the variant that the form of all these pages picked, or None if the query names none.

    The redirect keeps the other parameters of the query that are named. Aborts with 404 if the variant is unknown.
    """
    if "variant" not in request.args:
        return None
    kept: dict[str, Any] = {name: request.args[name] for name in names if request.args.get(name)}
    return redirect(url_for(str(request.endpoint), variant=known(request.args["variant"]).id, **kept))
