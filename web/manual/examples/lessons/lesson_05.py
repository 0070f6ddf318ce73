"""Lesson 5: claim the privilege that fits the strength of the hand.

New: `claim` counts trumps and the three highest cards of each suit.
"""

from arena.sdk import Bot

RANKS = "23456789TJQKA"


class Lesson(Bot):
    games = ("suitability",)

    def act(self, view):
        if view.phase == "nominate":
            return max(view.legal, key=lambda said: liking(view.hand, *said.split(":")))
        if view.phase == "privilege":
            return claim(view)
        return self.card(view)

    def card(self, view):
        to_beat = max(map(view.power, view.trick), default=0)
        winners = [card for card in view.legal if view.power(card) > to_beat]
        losers = [card for card in view.legal if card not in winners]
        penalty = view.roles["penalty"]
        if losers and (not winners or any(card.suit == penalty for card in view.trick)):
            return max(losers, key=lambda card: (card[1] == penalty, view.power(card, card)))
        return min(winners, key=view.power)


def liking(hand, role, suit):
    ranks = [RANKS.index(card.rank) for card in hand if card.suit == suit]  # 0 for the two, 12 for the ace
    if role == "trump":
        return 4 - 2 * len(ranks) + sum(ranks) / 8
    if role == "penalty":
        return 9 * len(ranks) - sum(ranks) - 12
    return 3 - len(ranks) / 2 - sum(ranks) / 9


def claim(view):
    trumps = sum(card.suit == view.roles["trump"] for card in view.hand)
    strength = trumps + sum(view.power(card) % 20 > 10 for card in view.hand)
    return "immunity" if strength > 7 else "warranty" if strength > 4 else "poverty"
