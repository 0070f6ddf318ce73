"""The games and variants that the arena offers; docs/adding-a-game.md shows how to add one."""

from collections import ChainMap
from collections.abc import Mapping
from typing import Final

from arena.games.base import Game, Variant
from arena.games.divisions import opened
from arena.games.errors import OptionError, shown
from arena.games.events import Json
from arena.games.separate_suits import SeparateSuits
from arena.games.suit_yourself import SuitYourself
from arena.games.suitability import Suitability
from arena.games.suits_barnhart import SuitsBarnhart
from arena.games.suits_steere import SuitsSteere
from arena.words import N_, _

GAMES: Final[dict[str, type[Game]]] = {
    game.id: game
    for game in (
        Suitability,
        SuitYourself,
        SuitsBarnhart,
        SuitsSteere,
        SeparateSuits,
    )
}
VARIANTS: Final[dict[str, Variant]] = {variant.id: variant for game in GAMES.values() for variant in game.variants()}
DEFAULT_VARIANT: Final = "suitability-4"
OPEN: Final = opened(VARIANTS.values(), GAMES)
"""Variants for programs outside the arena, by ID."""
LEADERBOARDS: Final = ChainMap(OPEN, VARIANTS)
"""Everything that tournaments are played, and ratings kept, for."""
UNITS: Final = {"Deal": N_("deal"), "Hand": N_("hand"), "Round": N_("round")}
"""Parts of a match by the labels of the facts that count them."""


def game(id: str, options: Mapping[str, Json] | None = None) -> Game:
    """Return a game with these options. Raises `OptionError`."""
    return GAMES[game_id(id)](options)


def game_id(id: str) -> str:
    """Return the ID of a game. Raises `OptionError` if there is none."""
    if id not in GAMES:
        raise OptionError(_("there is no game %(id)s; the games are %(games)s", id=shown(id), games=", ".join(GAMES)))
    return id


def stored_game(id: str, options: Mapping[str, Json]) -> Game:
    """Return a game with options that were stored, by this release or an earlier one. Raises `OptionError`."""
    return GAMES[game_id(id)].stored(options)


def variant(id: str) -> Variant:
    """Return a variant by its ID. Raises `OptionError`."""
    if id not in LEADERBOARDS:
        known = ", ".join(VARIANTS)
        raise OptionError(_("there is no variant %(id)s; the variants are %(variants)s", id=shown(id), variants=known))
    return LEADERBOARDS[id]


def check_caged(id: str) -> None:
    """Raise `OptionError` unless this is a variant of caged bots."""
    if id not in VARIANTS:
        known = ", ".join(VARIANTS)
        raise OptionError(
            _("there is no variant %(id)s here; the variants are %(variants)s", id=shown(id), variants=known)
        )


def rules_of(variant_id: str) -> Game:
    """Return the game that a variant plays, with its options. Raises `OptionError` if there is no such variant."""
    return game(variant(variant_id).game, variant(variant_id).options)


def points_unit(id: str) -> str | None:
    """Return the unit of a variant's strengths in game points, to be translated; None if it shows none."""
    found = LEADERBOARDS.get(id)
    if found is None or not found.points_over:
        return None
    return UNITS[GAMES[found.game].facts[0].label] if found.points_over > 1 else N_("match")
