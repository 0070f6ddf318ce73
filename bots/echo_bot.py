"""Echo: answers the rank that won the last trick with the next higher one."""

from arena.games.cards import RANKS
from arena.games.separate_suits import SeparateSuitsView
from arena.sdk import Bot


class Echo(Bot):
    """Plays Separate Suits."""

    games = ("separate_suits",)

    def act(self, view: SeparateSuitsView) -> str:  # type: ignore[override]
        winner, attempts = view.tricks[-1] if view.tricks else (None, [])
        if winner is None:
            return self.rng.choice(view.legal)
        heard = RANKS.index(attempts[-1][winner])
        return min(view.legal, key=lambda rank: (RANKS.index(rank) - heard - 1) % len(RANKS))
