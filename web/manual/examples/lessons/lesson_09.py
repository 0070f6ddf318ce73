"""Lesson 9: spend the time where the choice is close.

New: `better_half` drops half of the actions after each look, until one is left or the share of the clock is used.
"""

from time import process_time

from arena.games.registry import game
from arena.sdk import Bot, Search

WORLDS = {"nominate": 20, "privilege": 20, "play": 150}
PLAYOUTS = 30  # in each world, shared by the actions
SHARE = 1 / 50  # of the time left


class Lesson(Bot):
    games = ("suitability",)

    def on_start(self):
        self.search = Search(game(self.game, self.options), self.rng)

    def act(self, view):
        actions, end = view.legal, process_time() + SHARE * (view.time_left or 10)
        while len(actions) > 1 and process_time() < end:
            actions = self.better_half(view, actions)
        return actions[0]

    def better_half(self, view, actions):
        worlds = self.search.worlds(view, WORLDS[view.phase])
        estimates = self.search.compare(view.seat, worlds, actions, max(1, PLAYOUTS // len(actions)))
        estimates.sort(key=lambda estimate: estimate.points, reverse=True)
        return [estimate.action for estimate in estimates[: (len(actions) + 1) // 2]]
