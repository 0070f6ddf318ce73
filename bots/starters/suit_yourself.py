"""A first bot for Suit Yourself. Change `act`, upload the file, and watch it climb.

`view` is everything that your seat may know: `view.hand`, `view.bids`, `view.trick`, `view.levels` and more, all
described in `arena.games.suit_yourself.SuitYourselfView`. `view.legal` lists the legal actions as text:
`arena.sdk.Card(action)` knows the rank and suit of a card.
"""

from arena.games.suit_yourself import SuitYourselfView
from arena.sdk import Bot


class Starter(Bot):
    """Bids on its longest suit, passes low cards, and wins tricks as cheaply as it can."""

    games = ("suit_yourself",)

    def act(self, view: SuitYourselfView) -> str:  # type: ignore[override]
        if view.phase in ("bid", "second_bid"):
            # A bid on a long suit pays more often: the other cards of the suit win tricks.
            return max(view.legal, key=lambda card: sum(other.suit == card[1] for other in view.hand))
        if view.phase == "pass":
            return min(view.legal, key=rank)
        # `winning` returns the index of the card that wins: ours is the last one.
        winners = [card for card in view.legal if view.winning([*view.trick, card]) == len(view.trick)]
        return min(winners or view.legal, key=rank)


def rank(card: str) -> int:
    """Return the rank of a card, 0 for the two to 12 for the ace."""
    return "23456789TJQKA".index(card[0])
