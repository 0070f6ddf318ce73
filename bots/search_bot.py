"""Search: plays every game with tricks in turn, by random playouts in positions that fit its view.

For each decision it compares all actions in the same random positions, with the same luck, and drops the worse half.
The others are compared again, with twice as many playouts each, until one is left: most playouts go where the choice
is close.

Ginsberg: GIB: Imperfect information in a computationally challenging game. Journal of Artificial Intelligence
Research 14, 2001. Karnin, Koren, Somekh: Almost optimal exploration in multi-armed bandits. ICML 2013.
"""

from time import process_time

from arena.games.registry import game
from arena.sdk import Bot, Search, View

WORLDS = 200
"""Number of positions in which cards are compared in a round."""
FEWER = 20
"""The same for bids and orders of cards: their playouts begin in Python."""
PLAYOUTS = 50
"""Number of playouts in each position, shared by the actions."""
SHARE = 1 / 50
"""Part of the time left after which it begins no further round: without the compiled kernel, playouts take longer."""
EAGER = {"suits_barnhart": 50, "suits_steere": 50}
"""How much likelier playouts choose a card that wins the trick so far, by game, if every trick is worth winning there.
Otherwise the bot would expect its opponents to miss the tricks that they could take."""


class Searcher(Bot):
    """Plays the games with tricks in turn."""

    games = ("suitability", "suit_yourself", "suits_barnhart", "suits_steere")

    def on_start(self) -> None:
        rules = game(self.game, self.options)
        self.search = Search(rules, self.rng, eager=EAGER.get(self.game, 1))

    def act(self, view: View) -> str:
        actions = view.legal
        end = process_time() + SHARE * (1e9 if view.time_left is None else view.time_left)
        while len(actions) > 1 and process_time() < end:
            actions = self.better_half(view, actions)
        return actions[0]

    def better_half(self, view: View, actions: list[str]) -> list[str]:
        """Return the better half of some actions, the best one first."""
        repeats = max(1, PLAYOUTS // len(actions))
        worlds = self.search.worlds(view, WORLDS if view.phase == "play" else FEWER)
        estimates = self.search.compare(view.seat, worlds, actions, repeats)
        estimates.sort(key=lambda estimate: estimate.points, reverse=True)
        return [estimate.action for estimate in estimates[: -(-len(actions) // 2)]]
