"""The variant that a page is about."""

from typing import Final

from flask import abort

from arena.games.base import Variant
from arena.games.registry import GAMES, VARIANTS

OF: Final = {game: [variant for variant in VARIANTS.values() if variant.game == game] for game in GAMES}
"""The variants of each game."""


def known(variant: str) -> Variant:
    """The variant of that id; where there is none, there is no such page."""
    if variant not in VARIANTS:
        abort(404)
    return VARIANTS[variant]
