"""A first bot for Suitability. Change `act`, upload the file, and watch it climb.

`view` is everything that your seat may know: `view.hand`, `view.trick`, `view.roles`, `view.taken` and more, all
described in `arena.games.suitability.SuitabilityView`. `view.legal` lists the legal actions.
"""

from arena.games.suitability import SuitabilityView
from arena.sdk import Bot


class Starter(Bot):
    """Wins cheaply if it can, otherwise discards its weakest card."""

    games = ("suitability",)

    def act(self, view: SuitabilityView) -> str:  # type: ignore[override]
        if view.phase != "play":
            return self.rng.choice(view.legal)
        to_beat = max((view.power(card) for card in view.trick), default=0)
        winners = [card for card in view.legal if view.power(card) > to_beat]
        return min(winners or view.legal, key=view.power)
