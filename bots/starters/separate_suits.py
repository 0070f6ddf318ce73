"""A first bot for Separate Suits. Change `act`, upload the file, and watch it climb.

`view` is everything that your seat may know: `view.hand`, `view.hands`, `view.tricks`, `view.piles` and more, all
described in `arena.games.separate_suits.SeparateSuitsView`. `view.legal` lists the legal actions as text.
"""

from arena.games.separate_suits import SeparateSuitsView
from arena.sdk import Bot


class Starter(Bot):
    """Plays high cards when a tie is won by its seat, low cards otherwise, and at random when equal cards cancel."""

    games = ("separate_suits",)

    def act(self, view: SeparateSuitsView) -> str:  # type: ignore[override]
        if view.phase == "packet" or view.cancelling:
            # All seats hold the same ranks, and a predictable card gets cancelled.
            return self.rng.choice(view.legal)
        # Of equal cards the first one wins, clockwise from the seat that won last.
        if view.last_winner == view.seat:
            return max(view.legal, key=rank)
        return min(view.legal, key=rank)


def rank(card: str) -> int:
    """Return the index of a rank: 0 for the two to 12 for the ace."""
    return "23456789TJQKA".index(card)
