"""Lesson 4: give the suits roles that fit the hand.

New: `liking` rates a nomination such as "trump:S". Its numbers were fitted to 6,000 deals with random nominations.
"""

from arena.sdk import Bot

RANKS = "23456789TJQKA"


class Lesson(Bot):
    games = ("suitability",)

    def act(self, view):
        if view.phase == "nominate":
            return max(view.legal, key=lambda said: liking(view.hand, *said.split(":")))
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


def liking(hand, role, suit):
    ranks = [RANKS.index(card.rank) for card in hand if card.suit == suit]  # 0 for the two, 12 for the ace
    if role == "trump":
        return 4 - 2 * len(ranks) + sum(ranks) / 8
    if role == "penalty":
        return 9 * len(ranks) - sum(ranks) - 12
    return 3 - len(ranks) / 2 - sum(ranks) / 9
