"""Lesson 8: try each card in worlds that fit what the bot has seen.

New: `Search` deals the unseen cards at random and plays each of them out at random, in C. No rule for cards is left.
"""

from arena.games.registry import game
from arena.sdk import Bot, Search

RANKS = "23456789TJQKA"
WORLDS = 40
REPEATS = 10


class Lesson(Bot):
    games = ("suitability",)

    def on_start(self):
        self.search = Search(game(self.game, self.options), self.rng)

    def act(self, view):
        if view.phase == "nominate":
            return max(view.legal, key=lambda said: liking(view.hand, *said.split(":")))
        if view.phase == "privilege":
            return claim(view)
        estimates = self.search.estimates(view, WORLDS, REPEATS)
        return max(estimates, key=lambda estimate: estimate.points).action


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
