"""Regret: plays Separate Suits, where all choose at the same time, by regret matching.

Each trick is a small game of its own. Before it plays, the bot lets all seats play this trick against each other, again
and again; each seat tends to choose the ranks that it regrets not having chosen. The average of its own choices, later
ones counting more, approaches a strategy that opponents cannot exploit, and it plays a rank at random by it. A rank is
worth the trick that it wins now, minus its chance of winning a trick later, which is known exactly if everyone plays at
random.

A strategy that cannot be exploited does not exploit others either. So the more tricks the bot has seen, the more often
it lets the other seats choose as they have before: ranks at the same places of their hands.

Hart, Mas-Colell: A simple adaptive procedure leading to correlated equilibrium. Econometrica 68, 2000.
Tammelin: Solving large imperfect information games using CFR+. arXiv:1407.5042, 2014.
Johanson, Bowling: Data biased robust counter strategies. AISTATS 2009.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from math import prod
from typing import Any

from arena.games.cards import RANKS
from arena.games.separate_suits import SeparateSuitsView
from arena.games.separate_suits.view import Trick
from arena.sdk import Bot

STEPS = 60
"""Number of times that all seats play a trick against each other before a decision."""
CHOICES = 600
"""Number of ranks drawn at random by all seats instead, in a trick in which equal ranks cancel."""
DOUBT = 10
"""Number of seen tricks after which a seat follows its habit half of the time."""

Weights = list[float]
"""A number for each rank that a seat may choose."""


class Regret(Bot):
    """Plays Separate Suits."""

    games = ("separate_suits",)

    def on_start(self) -> None:
        self.tricks: dict[int, list[Trick]] = {}
        """Finished tricks by number of the hand, as last seen."""

    def act(self, view: SeparateSuitsView) -> str:  # type: ignore[override]
        if view.phase == "packet":
            return self.rng.choice(view.legal)  # a fixed packet loses 3.7 points a hand to its opposite
        self.tricks[view.hand_number] = view.tricks
        hands = [[RANKS.index(rank) for rank in untried(view, seat)] for seat in range(len(view.hands))]
        hands[view.seat] = [RANKS.index(rank) for rank in view.legal]
        return self.rng.choices(view.legal, self.match_regrets(view, hands))[0]

    def match_regrets(self, view: SeparateSuitsView, hands: Sequence[list[int]]) -> Weights:
        """Return how often the seat chose each rank, after all seats have played the trick against each other."""
        cancelling = view.cancelling or view.last_winner is None
        show: Callable[..., Any] = self.drawn if cancelling else below
        wins = uncancelled if cancelling else partial(chances, last=view.last_winner or 0)
        prices = [[later(rank, seat, hands) for rank in hand] for seat, hand in enumerate(hands)]
        habits = [self.habit(view, seat, len(hand)) for seat, hand in enumerate(hands)]
        regrets = [[0.0] * len(hand) for hand in hands]
        strategies = [*map(blend, regrets, habits)]
        shown = [*map(show, hands, strategies)]
        often = regrets[view.seat]
        for step in range(1, 1 + (CHOICES // len(hands) if cancelling else STEPS)):
            for seat, hand in enumerate(hands):  # in turn, so that each answers the others' latest strategies
                regrets[seat] = updated(regrets[seat], strategies[seat], wins(hand, seat, shown), prices[seat])
                strategies[seat] = blend(regrets[seat], habits[seat])
                shown[seat] = show(hand, strategies[seat])
            often = [sum_ + step * weight for sum_, weight in zip(often, strategies[view.seat], strict=True)]
        return often

    def drawn(self, hand: Sequence[int], strategy: Weights) -> int:
        """Return a rank drawn by a strategy."""
        return self.rng.choices(hand, strategy)[0]

    def habit(self, view: SeparateSuitsView, seat: int, size: int) -> Weights:
        """Return how often another seat chose about each place of its hand, if it won ties as it does now or not."""
        if seat == self.seat:
            return [0.0] * size
        places = [*shown_places(self.tricks.values(), seat, wins_ties=view.last_winner == seat)]
        return [sum(overlap(place, size, *each) for each in places) for place in range(size)]


def shown_places(hands: Iterable[Sequence[Trick]], seat: int, *, wins_ties: bool) -> Iterator[tuple[int, int]]:
    """Yield the place of each rank that a seat has shown among those that it held, and their number."""
    for tricks in hands:
        held = [*RANKS]
        last: int | None = None
        for trick in tricks:
            rank = trick.attempts[-1][seat]
            if (last == seat) == wins_ties:
                yield held.index(rank), len(held)
            held.remove(rank)
            last = last if trick.winner is None else trick.winner


def overlap(place: int, size: int, other: int, of: int) -> float:
    """Return the part of a place in a hand of size `of` that falls on a place in a hand of size `size`."""
    return max(0.0, min((place + 1) / size, (other + 1) / of) - max(place / size, other / of)) * of


def blend(regrets: Weights, habit: Weights) -> Weights:
    """Return chances of a choice by regrets, all equal if there are none; the more a habit is known, the more by it."""
    weights = regrets if any(regrets) else [1.0] * len(regrets)
    scale, total = DOUBT / sum(weights), DOUBT + sum(habit)
    return [(scale * weight + often) / total for weight, often in zip(weights, habit, strict=True)]


def updated(regrets: Weights, strategy: Weights, won: Weights, prices: Weights) -> Weights:
    """Return the regrets after another trick, none below 0."""
    gains = [win - price for win, price in zip(won, prices, strict=True)]
    mean = sum(chance * gain for chance, gain in zip(strategy, gains, strict=True))
    return [max(0.0, regret + gain - mean) for regret, gain in zip(regrets, gains, strict=True)]


def untried(view: SeparateSuitsView, seat: int) -> list[str]:
    """Return the ranks that a seat may show in this trick, as far as others know."""
    tried = {attempt[seat] for attempt in view.attempts}
    return [rank for rank in view.hands[seat] if rank not in tried]


def later(rank: int, seat: int, hands: Sequence[Sequence[int]]) -> float:
    """Return the chance that a rank wins a trick in which the other seats show any of their ranks."""
    return prod(
        (sum(card < rank for card in hand) + hand.count(rank) / 2) / len(hand)
        for other, hand in enumerate(hands)
        if other != seat
    )


def below(hand: Sequence[int], strategy: Weights) -> Weights:
    """Return the chance of a rank below each of all ranks, and 1."""
    by_rank = dict(zip(hand, strategy, strict=True))
    return [*accumulate((by_rank.get(rank, 0.0) for rank in range(len(RANKS))), initial=0.0)]


def chances(hand: Sequence[int], seat: int, shown: Sequence[Weights], last: int) -> Weights:
    """Return the chance that each rank of a seat wins, if the winner of the last trick comes first among equals."""
    order = [*range(last, len(shown)), *range(last)]
    first = order.index(seat)
    return [
        prod(shown[other][rank + (place > first)] for place, other in enumerate(order) if place != first)
        for rank in hand
    ]


def uncancelled(hand: Sequence[int], seat: int, shown: Sequence[int]) -> Weights:
    """Return 1 for the ranks that win if the others show theirs and equal ranks cancel, and 0 for all others."""
    others = [*shown[:seat], *shown[seat + 1 :]]
    best = max((rank for rank in others if others.count(rank) == 1), default=-1)
    return [float(rank > best and rank not in others) for rank in hand]
