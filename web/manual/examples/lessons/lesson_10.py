"""Lesson 10: learn how the others play.

New: `habits` makes playouts choose cards as lesson 9 does. Zip this file as bot.py with the habits.json that
learn_habits.py writes.
"""

import json
from time import process_time

from arena.games.cards import CARDS
from arena.games.registry import game
from arena.sdk import Bot, Habits, Search, resource

WORLDS = {"nominate": 20, "privilege": 20, "play": 150}
PLAYOUTS = 30  # in each world, shared by the actions
SHARE = 1 / 50  # of the time left


def kind_of(roles, card):
    """Return the role of a card's suit and its rank."""
    return next(f"{role} {card[0]}" for role, suit in roles.items() if suit == card[1])


class Lesson(Bot):
    games = ("suitability",)

    def on_start(self):
        self.learned = json.loads(resource("habits.json"))
        self.search = Search(game(self.game, self.options), self.rng, habits=self.habits)

    def habits(self, view):
        kinds = {card: kind_of(view.roles, card) for card in CARDS[:52]}
        weights = {
            row: {card: found.get(kind, 1000) for card, kind in kinds.items()} for row, found in self.learned.items()
        }
        return [Habits(**weights)] * len(view.scores)

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
