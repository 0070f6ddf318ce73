"""A first bot for Suits by Mark Steere. Change `act`, upload the file, and watch it climb.

`view` is everything that your seat may know: `view.hand`, `view.trick`, `view.tricks`, `view.taken` and more, all
described in `arena.games.suits_steere.SuitsSteereView`. `view.legal` lists the legal actions as text:
`SpanishCard(action)` knows the number and suit of a card.
"""

from arena.games.spanish import SpanishCard
from arena.games.suits_steere import SuitsSteereView
from arena.sdk import Bot


class Starter(Bot):
    """As the last to play it wins with its lowest winner; otherwise it plays its lowest card of its longest suit."""

    games = ("suits_steere",)

    def act(self, view: SuitsSteereView) -> str:  # type: ignore[override]
        if len(view.trick) == 2:
            # `winner` values all three cards together and returns the index of the best one: ours is the last.
            winners = [card for card in view.legal if view.winner([*view.trick, SpanishCard(card)]) == 2]
            return min(winners or view.legal, key=number)
        # Two cards of one suit make a pair, which beats the odd card: keep several suits to choose from later.
        return max(view.legal, key=lambda card: (sum(other.suit == card[1] for other in view.hand), -number(card)))


def number(card: str) -> int:
    """Return the number of a card, 1 for the ace to 12 for the rey."""
    return SpanishCard(card).number
