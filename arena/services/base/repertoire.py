"""The games that a bot declares, and the variants in which it is validated and first rated."""

from collections.abc import Iterable, Sequence

from arena.games.base import Game, Variant
from arena.games.registry import DEFAULT_VARIANT, VARIANTS
from arena.words import _

Games = Sequence[str] | None
"""IDs of the games that a bot declares; None if it declares none, in which case it plays every game."""


def plays(games: Games, game: str) -> bool:
    """Return whether a bot that declares `games` plays `game`."""
    return games is None or game in games


def full_name(game: type[Game] | Game) -> str:
    """Return a game's title with its designer, because two games by different designers share a title."""
    return _("%(game)s by %(designer)s", game=game.title, designer=_(game.designer))


def first_variants(games: Games) -> list[Variant]:
    """Return the first variant of each declared game; the default variant if the bot declares none.

    Declaring a game is a promise to play it. An author who declares none may never have considered most games, so a
    fault in one of them must not make the bot invalid.
    """
    if games is None:
        return [VARIANTS[DEFAULT_VARIANT]]
    return [variant for variant in first_of_each(VARIANTS.values()) if variant.game in games]


def first_of_each(variants: Iterable[Variant]) -> list[Variant]:
    """Return the first of these variants of each game."""
    firsts: dict[str, Variant] = {}
    for variant in variants:
        firsts.setdefault(variant.game, variant)
    return list(firsts.values())
