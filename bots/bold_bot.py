"""Bold: plays its highest card in every game. A yardstick between random play and thinking."""

from arena.games import cards, spanish
from arena.sdk import Bot, View


class Bold(Bot):
    """Plays every game."""

    def on_start(self) -> None:
        self.ranks = spanish.RANKS if self.game == "suits_steere" else cards.RANKS

    def act(self, view: View) -> str:
        return max(view.legal, key=self.height)

    def height(self, action: str) -> int:
        """Return the rank of a card, or of the first of several; -1 for a joker and for actions that are not cards."""
        return self.ranks.find(action[0])
