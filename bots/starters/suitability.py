"""A first bot for Suitability. Change `act`, upload the file, and watch it climb.

`view` is everything that your seat may know: `view.hand`, `view.trick`, `view.roles`, `view.taken` and more, all
described in `arena.games.suitability.SuitabilityView`. `view.legal` lists the legal actions as text:
`arena.sdk.Card(action)` knows the rank and suit of a card.
"""

from arena.games.suitability import SuitabilityView
from arena.sdk import Bot


class Starter(Bot):
    """Makes its longest suit trump, takes no risks, and wins cheaply the tricks that have no penalty card."""

    games = ("suitability",)

    def act(self, view: SuitabilityView) -> str:  # type: ignore[override]
        if view.phase == "nominate":
            return max(view.legal, key=lambda said: self.liking(view, said))
        if view.phase == "privilege":
            return "warranty" if "warranty" in view.legal else view.legal[-1]
        to_beat = max((view.power(card) for card in view.trick), default=0)
        winners = [card for card in view.legal if view.power(card) > to_beat]
        losers = [card for card in view.legal if view.power(card) <= to_beat]
        # Penalty cards divide the points of the tricks that hold them: leave those tricks to others.
        if any(card.suit == view.roles["penalty"] for card in view.trick) and losers:
            return max(losers, key=view.power)
        return min(winners or view.legal, key=view.power)

    def liking(self, view: SuitabilityView, said: str) -> int:
        """Return how well a nomination such as "trump:H" fits the hand."""
        role, suit = said.split(":")
        length = sum(card.suit == suit for card in view.hand)
        return length if role == "trump" else -length
