"""What a bot plays: the games that it declares, and the variants that it is tried and placed in."""

from collections.abc import Sequence

from arena.games.base import Game, Variant
from arena.games.registry import DEFAULT_VARIANT, VARIANTS

Games = Sequence[str] | None
"""The ids of the games that a bot declares; None where it declares none, and plays every game."""


def plays(games: Games, game: str) -> bool:
    """Whether a bot that declares these games plays that one."""
    return games is None or game in games


def full_name(game: type[Game] | Game) -> str:
    """What people call a game; two games of different designers have the same title."""
    return f"{game.title} by {game.designer}"


def first_variants(games: Games) -> list[Variant]:
    """The first variant of every game that a bot names; the default one for a bot that names none.

    To name a game is a promise. Whoever names none may never have thought of most games, so a fault in one of those
    must not make the bot invalid.
    """
    if games is None:
        return [VARIANTS[DEFAULT_VARIANT]]
    firsts: dict[str, Variant] = {}
    for variant in VARIANTS.values():
        firsts.setdefault(variant.game, variant)
    return [variant for game, variant in firsts.items() if game in games]
