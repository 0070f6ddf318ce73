"""A first bot for Suits by Aaron Barnhart. Change `act`, upload the file, and watch it climb.

`view` is everything that your seat may know: `view.drawn`, `view.pile`, `view.trick`, `view.tricks` and more, all
described in `arena.games.suits_barnhart.SuitsBarnhartView`. `view.legal` lists the legal actions as text:
`arena.sdk.Card(action)` knows the rank and suit of a card.
"""

from arena.games.suits_barnhart import SuitsBarnhartView
from arena.sdk import Bot


class Starter(Bot):
    """Wins with its lowest card that beats the trick, because low cards score most; otherwise plays its lowest card."""

    games = ("suits_barnhart",)

    def act(self, view: SuitsBarnhartView) -> str:  # type: ignore[override]
        if view.phase == "return":
            # An action is the cards that go back, such as "5D,9D": the first is drawn again first.
            return max(view.legal, key=lambda order: rank(order.split(",")[0]))
        # Suits play in the order of their strength, so a later card must be higher to win.
        to_beat = max(map(rank, view.trick), default=-1)
        winners = [card for card in view.legal if rank(card) > to_beat]
        return min(winners or view.legal, key=rank)


def rank(card: str) -> int:
    """Return the rank of a card, 0 for the two to 12 for the ace."""
    return "23456789TJQKA".index(card[0])
