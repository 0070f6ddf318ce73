"""Lesson 8: try each action in worlds that fit what the bot has seen.

New: `Search` deals the unseen cards at random and plays each of them out at random, in C. No rule of thumb is left.
"""

from arena.games.registry import game
from arena.sdk import Bot, Search

WORLDS = {"nominate": 20, "privilege": 20, "play": 80}  # playouts of an auction begin in Python
REPEATS = 10


class Lesson(Bot):
    games = ("suitability",)

    def on_start(self):
        self.search = Search(game(self.game, self.options), self.rng)

    def act(self, view):
        estimates = self.search.estimates(view, WORLDS[view.phase], REPEATS)
        return max(estimates, key=lambda estimate: estimate.points).action
