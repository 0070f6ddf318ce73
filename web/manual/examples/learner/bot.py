"""Learner: plays the action that its network values most."""

import numpy as np
from network import Network

from arena.games.registry import game
from arena.sdk import Bot, Encoder, View, resource


class Learner(Bot):
    games = ("suitability",)

    def on_start(self):
        self.encoder = Encoder(game(self.game, self.options))
        self.network = Network.load(resource("weights.npy"))
        self.fits = len(self.network.layers[0]) == self.encoder.length

    def act(self, view: View) -> str:
        if not self.fits:  # a variant with another number of players
            return self.rng.choice(view.legal)
        values = self.network.run(np.frombuffer(self.encoder.observe(view), np.int16))[-1]
        legal = self.encoder.numbers(view)
        return legal[max(legal, key=values.__getitem__)]
