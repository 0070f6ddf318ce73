"""Greedy: thinks one card ahead in every game.

It wins tricks that are cheap to win. If a card keeps its value over time, it plays the one that does best now compared
with its average later, so strong cards are saved for when they count.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from arena.games.cards import RANKS, Card
from arena.games.separate_suits import SeparateSuitsView
from arena.games.spanish import CARDS, SpanishCard
from arena.games.suit_yourself import SuitYourselfView
from arena.games.suitability import SuitabilityView
from arena.games.suits_barnhart import SuitsBarnhartView
from arena.games.suits_steere import SuitsSteereView
from arena.sdk import Bot, View

Value = Callable[[str], Any]
"""Preference for an action; the highest is played."""


class Greedy(Bot):
    """Plays five games."""

    games = ("suitability", "suit_yourself", "suits_barnhart", "suits_steere", "separate_suits")

    def act(self, view: View) -> str:
        value: Value = getattr(self, self.game)(view)
        return max(view.legal, key=value)

    def suitability(self, view: SuitabilityView) -> Value:
        """Choose roles that fit the hand; win tricks without penalty cards cheaply, and duck the others."""
        if view.phase == "nominate":
            return lambda said: liking(view.hand, *said.split(":"))
        if view.phase == "privilege":
            wanted = "immunity" if sum(card.rank in "QKA" for card in view.hand) >= 4 else "warranty"
            return lambda said: said == wanted
        penalty = view.roles["penalty"]
        if not view.trick:
            return lambda card: (Card(card).suit != penalty, view.power(card))
        to_beat = max(map(view.power, view.trick))
        winners = {card for card in view.legal if view.power(card) > to_beat}
        if winners and (len(winners) == len(view.legal) or not any(card.suit == penalty for card in view.trick)):
            return lambda card: (card in winners, -view.power(card))
        return lambda card: (card not in winners, Card(card).suit == penalty, view.power(card))

    def suit_yourself(self, view: SuitYourselfView) -> Value:
        """Bid in strong suits, pass low cards of the others, and take every trick possible."""
        bids = {card.suit for card in view.bids[view.seat] if card}
        if view.phase.startswith("bid"):
            # A bid pays only if it is won, so strength matters more than the points of the card.
            return lambda card: (min(rank(card), 8) + 7) * power_in(view.hand, card) ** 2
        if view.phase == "pass":
            return lambda card: (card[1] not in bids, -rank(card))
        if not view.trick:
            return lambda card: (card[1] in bids, rank(card))
        last = len(view.trick) == 3
        winners = {card for card in view.legal if view.winning([*view.trick, card]) == len(view.trick)}
        if winners:
            return lambda card: (card in winners, -rank(card) if last else rank(card))
        return lambda card: (card[1] not in bids, -rank(card))

    def suits_barnhart(self, view: SuitsBarnhartView) -> Value:
        """Points times the chance to win them now, divided by the same for any time, if others play random cards."""
        if view.phase == "return":
            return lambda order: [-view.worth(card) for card in order.split(",")]
        to_beat = max((rank(card) + 1 for card in view.trick), default=0)
        played = [(view.leader + turn) % 4 for turn in range(len(view.trick))]
        others = [(view.unplayed(seat), seat in played) for seat in range(4) if seat != view.seat]

        def value(card: str) -> float:
            now, ever = float(rank(card) >= to_beat), 1.0
            for cards, has_played in others:
                lower = sum(rank(other) <= rank(card) for other in cards) / max(1, len(cards))
                ever *= lower
                now *= 1 if has_played else lower
            return (now - ever) * view.worth(card)

        return value

    def suits_steere(self, view: SuitsSteereView) -> Value:
        """Return the chance that a card wins now, divided by the chance against any two of the unseen cards."""
        seen = {*view.hand, *view.trick, *(card for _, cards in view.tricks for card in cards)}
        whenever = [list(pair) for pair in pairwise(sorted(card for card in CARDS if card not in seen))]
        now = [[*view.trick, *pair[len(view.trick) :]] for pair in whenever]

        def chance(card: str, others: list[list[SpanishCard]]) -> float:
            return sum(view.winner([*cards, card]) == 2 for cards in others) / len(others)

        return lambda card: chance(card, now) - chance(card, whenever)

    def separate_suits(self, view: SeparateSuitsView) -> Value:
        """Return the chance that a rank wins now, given which seats win ties, divided by the chance at any time."""
        if view.phase == "packet":
            return rank
        if view.cancelling:
            return lambda card: self.rng.random()  # predictable ranks get cancelled
        seats = len(view.hands)
        first = view.last_winner or 0
        turn = (view.seat - first) % seats
        others = [(hand, (seat - first) % seats) for seat, hand in enumerate(view.hands) if seat != view.seat]

        def value(card: str) -> float:
            now = ever = 1.0
            for hand, other_turn in others:
                lower, equal = sum(rank(other) < rank(card) for other in hand), hand.count(card)
                ties = equal if turn < other_turn else 0
                now *= (lower + ties) / len(hand)
                ever *= (lower + equal / 2) / len(hand)
            return now - ever

        return value


def rank(card: str) -> int:
    """Return the index of a card's rank: 0 for the two to 12 for the ace."""
    return RANKS.index(card[0])


def liking(hand: list[Card], role: str, suit: str) -> float:
    """Return how well a role for a suit fits the hand: long trumps, short penalties, low cards in reverse."""
    ranks = [rank(card) for card in hand if card.suit == suit]
    if role == "trump":
        return len(ranks) + sum(ranks) / 24
    if role == "penalty":
        return 4 - len(ranks)
    return sum(2 - rank / 3 for rank in ranks) / 2


def power_in(hand: list[Card], bid: str) -> float:
    """Return the strength of the hand in the suit of a bid without that card."""
    return sum(rank(card) + 2 for card in hand if card.suit == bid[1] and card != bid)
