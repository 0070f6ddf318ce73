"""The variant of a page."""

from typing import Final

from flask import abort

from arena.games.base import Variant
from arena.games.registry import GAMES, VARIANTS

OF: Final = {game: [variant for variant in VARIANTS.values() if variant.game == game] for game in GAMES}
"""Variants by game."""


def known(variant: str) -> Variant:
    """Return the variant with this id. Aborts with 404 if there is none."""
    if variant not in VARIANTS:
        abort(404)
    return VARIANTS[variant]
