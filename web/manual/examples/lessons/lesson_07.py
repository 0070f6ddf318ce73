"""Lesson 7: remember who has no card of a suit.

New: `without`. A player without the suit led may throw a penalty card into the trick, so the bot leaves it alone.
"""

from collections import Counter

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
        unseen = unseen_by(view)
        higher = {card: count_higher(view, card, unseen) for card in view.legal}
        left = Counter(card[1] for card in unseen)
        penalty = view.roles["penalty"]
        if not view.trick:
            usable = [card for card in view.legal if card[1] not in (penalty, view.roles["trump"])]
            sure = [card for card in usable if not higher[card] and left[card[1]] >= 6]
            return max(sure, key=lambda card: left[card[1]]) if sure else min(view.legal, key=view.power)
        to_beat = max(map(view.power, view.trick))
        winners = [card for card in view.legal if view.power(card) > to_beat]
        losers = [card for card in view.legal if card not in winners]
        spoiled = any(card.suit == penalty for card in view.trick) or self.may_be_spoiled(view)
        if losers and (spoiled or not winners):
            return max(losers, key=lambda card: (3 * (card[1] == penalty) - higher[card], view.power(card, card)))
        return min(winners, key=view.power)

    def may_be_spoiled(self, view):
        return any((view.seat + turn) % 4 in without(view) for turn in range(1, 4 - len(view.trick)))


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


def unseen_by(view):
    seen = {*view.hand, *view.trick, *(card for _, cards in view.tricks for card in cards)}
    return [rank + suit for suit in "CDHS" for rank in RANKS if rank + suit not in seen]


def count_higher(view, card, unseen):
    return sum(other[1] == card[1] and view.power(other, other) > view.power(card, card) for other in unseen)


def without(view):
    """Return the seats that did not follow the suit of this trick earlier in the deal."""
    tricks = [(leader, cards) for leader, cards in view.tricks if cards[0].suit == view.trick[0].suit]
    return {(leader + turn) % 4 for leader, cards in tricks for turn in range(4) if cards[turn].suit != cards[0].suit}
