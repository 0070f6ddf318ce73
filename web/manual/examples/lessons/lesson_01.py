"""Lesson 1: a legal action, at random.

New: a bot is a class with `act(view)`, which returns one of `view.legal`. `self.rng` is seeded for each match.
"""

from arena.sdk import Bot


class Lesson(Bot):
    games = ("suitability",)

    def act(self, view):
        return self.rng.choice(view.legal)
