"""Meek: plays its lowest rank and keeps the high ones for the end of the hand."""

from arena.games.cards import RANKS
from arena.games.separate_suits import SeparateSuitsView
from arena.sdk import Bot


class Meek(Bot):
    """Plays Separate Suits."""

    games = ("separate_suits",)

    def act(self, view: SeparateSuitsView) -> str:  # type: ignore[override]
        return min(view.legal, key=RANKS.index)
