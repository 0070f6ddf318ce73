"""Lesson 2: win each trick as cheaply as possible.

New: `view.power` ranks cards in the current trick, so trumps and the reverse suit need no rule of their own.
"""

from arena.sdk import Bot


class Lesson(Bot):
    games = ("suitability",)

    def act(self, view):
        if view.phase == "play":
            return self.card(view)
        return self.rng.choice(view.legal)

    def card(self, view):
        to_beat = max(map(view.power, view.trick), default=0)
        winners = [card for card in view.legal if view.power(card) > to_beat]
        return min(winners or view.legal, key=view.power)
