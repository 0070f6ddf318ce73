"""Lesson 10: learn the values.

New: a network, trained by self-play, adds the lead that it expects to that of the search. Zip this file as bot.py with
the network.py and the weights.npy of learner.zip.
"""

from time import process_time

import numpy as np
from network import Network

from arena.games.registry import game
from arena.sdk import Bot, Encoder, Search, resource

WORLDS = {"nominate": 20, "privilege": 20, "play": 150}
PLAYOUTS = 30  # in each world, shared by the actions
SHARE = 1 / 50  # of the time left
TRUST = 20  # points of a value of 1, as in train.py


class Lesson(Bot):
    games = ("suitability",)

    def on_start(self):
        rules = game(self.game, self.options)
        self.search, self.encoder = Search(rules, self.rng), Encoder(rules)
        self.network = Network.load(resource("weights.npy"))

    def act(self, view):
        learned = self.learned(view)
        actions, end = view.legal, process_time() + SHARE * (view.time_left or 10)
        while len(actions) > 1 and process_time() < end:
            actions = self.better_half(view, actions, learned)
        return actions[0]

    def learned(self, view):
        values = self.network.run(np.frombuffer(self.encoder.observe(view), np.int16))[-1]
        return {action: TRUST * float(values[number]) for number, action in self.encoder.numbers(view).items()}

    def better_half(self, view, actions, learned):
        worlds = self.search.worlds(view, WORLDS[view.phase])
        estimates = self.search.compare(view.seat, worlds, actions, max(1, PLAYOUTS // len(actions)))
        estimates.sort(key=lambda estimate: estimate.points + learned[estimate.action], reverse=True)
        return [estimate.action for estimate in estimates[: (len(actions) + 1) // 2]]
