"""Lesson 3: leave tricks with penalty cards to others, and throw away what hurts.

New: `losers`. A bot that does not want a trick, or cannot win it, plays a penalty card or its highest loser.
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
        losers = [card for card in view.legal if card not in winners]
        penalty = view.roles["penalty"]
        if losers and (not winners or any(card.suit == penalty for card in view.trick)):
            return max(losers, key=lambda card: (card[1] == penalty, view.power(card, card)))
        return min(winners, key=view.power)
