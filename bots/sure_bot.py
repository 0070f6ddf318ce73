"""Sure: plays the lowest rank that no other seat can beat or match, and otherwise its lowest."""

from arena.games.cards import RANKS
from arena.games.separate_suits import SeparateSuitsView
from arena.sdk import Bot


class Sure(Bot):
    """Plays Separate Suits."""

    games = ("separate_suits",)

    def act(self, view: SeparateSuitsView) -> str:  # type: ignore[override]
        others = (hand for seat, hand in enumerate(view.hands) if seat != view.seat)
        highest = max(RANKS.index(rank) for hand in others for rank in hand)
        return min(view.legal, key=lambda rank: (RANKS.index(rank) <= highest, RANKS.index(rank)))
