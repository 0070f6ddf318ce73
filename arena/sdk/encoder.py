"""Observations and actions as arrays of fixed lengths, for bots that learn.

    encoder = Encoder(game(self.game, self.options))
    values = network(numpy.frombuffer(encoder.observe(view), "int16"))
    number = max(encoder.numbers(view), key=values.__getitem__)

`arena.learn` trains with the same arrays. Nothing here needs numpy.
"""

from array import array
from itertools import accumulate
from math import prod

from arena.games.base import Game, View


class Encoder:
    """Translates views and actions of a game with its options."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.parts = game.parts()
        ends = accumulate((prod(part.shape) for part in self.parts), initial=0)
        self.offsets = [*ends]
        """Offset of each part in an observation, then its length."""
        self.length = self.offsets[-1]
        """Number of entries of an observation."""
        self.choices = game.choices
        """Number of actions."""

    def observe(self, view: View) -> "array[int]":
        """Return the observation: whole numbers of 16 bits."""
        found, data = array("h", bytes(2 * self.length)), view.data
        for part, offset in zip(self.parts, self.offsets, strict=False):
            for place, value in part.entries(data):
                found[offset + place] = value
        return found

    def numbers(self, view: View) -> dict[int, str]:
        """Return the legal actions by number, ascending."""
        choice = self.game.choice
        return {choice(token, place): token for place, token in enumerate(view.legal)}

    def mask(self, view: View) -> "array[int]":
        """Return a 1 for each number of a legal action, in bytes."""
        found = array("b", bytes(self.choices))
        for number in self.numbers(view):
            found[number] = 1
        return found
