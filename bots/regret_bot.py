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

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from math import prod

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
            return min(view.legal, key=RANKS.index)  # the seven tricks after the packet are more than its six
        self.tricks[view.hand_number] = view.tricks
        hands = [[RANKS.index(rank) for rank in untried(view, seat)] for seat in range(len(view.hands))]
        hands[view.seat] = [RANKS.index(rank) for rank in view.legal]
        return self.rng.choices(view.legal, self.match_regrets(view, hands))[0]

    def match_regrets(self, view: SeparateSuitsView, hands: Sequence[list[int]]) -> Weights:
        """Return how often the seat chose each rank, after all seats have played the trick against each other."""
        cancelling = view.cancelling or view.last_winner is None
        prices = [[later(rank, seat, hands) for rank in hand] for seat, hand in enumerate(hands)]
        habits = [self.habit(view, seat, len(hand)) for seat, hand in enumerate(hands)]
        regrets = [[0.0] * len(hand) for hand in hands]
        often = [0.0] * len(hands[view.seat])
        for step in range(CHOICES // len(hands) if cancelling else STEPS):
            strategies = [blend(positive(regret), habit) for regret, habit in zip(regrets, habits, strict=True)]
            won = self.drawn(hands, strategies) if cancelling else chances(hands, strategies, view.last_winner or 0)
            regrets = [*map(updated, regrets, strategies, won, prices)]
            often = [sum_ + step * weight for sum_, weight in zip(often, strategies[view.seat], strict=True)]
        return often

    def drawn(self, hands: Sequence[list[int]], strategies: Sequence[Weights]) -> list[Weights]:
        """Return which ranks of each seat win a trick in which equal ranks cancel, if the others show drawn ones."""
        shown = [self.rng.choices(*each)[0] for each in zip(hands, strategies, strict=True)]
        return [uncancelled(hand, [*shown[:seat], *shown[seat + 1 :]]) for seat, hand in enumerate(hands)]

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


def blend(strategy: Weights, habit: Weights) -> Weights:
    """Return chances of a choice that follows the habit the more often, the more tricks it is known from."""
    scale, total = DOUBT / sum(strategy), DOUBT + sum(habit)
    return [(scale * weight + often) / total for weight, often in zip(strategy, habit, strict=True)]


def updated(regrets: Weights, strategy: Weights, won: Weights, prices: Weights) -> Weights:
    """Return the regrets after another trick, none below 0."""
    gains = [win - price for win, price in zip(won, prices, strict=True)]
    mean = sum(chance * gain for chance, gain in zip(strategy, gains, strict=True))
    return [max(0.0, regret + gain - mean) for regret, gain in zip(regrets, gains, strict=True)]


def untried(view: SeparateSuitsView, seat: int) -> list[str]:
    """Return the ranks that a seat may show in this trick, as far as others know."""
    tried = {attempt[seat] for attempt in view.attempts}
    return [rank for rank in view.hands[seat] if rank not in tried]


def positive(regrets: Weights) -> Weights:
    """Return regrets as weights of a choice; equal weights if there are none."""
    return regrets if any(regrets) else [1.0] * len(regrets)


def later(rank: int, seat: int, hands: Sequence[Sequence[int]]) -> float:
    """Return the chance that a rank wins a trick in which the other seats show any of their ranks."""
    return prod(
        (sum(card < rank for card in hand) + hand.count(rank) / 2) / len(hand)
        for other, hand in enumerate(hands)
        if other != seat
    )


def chances(hands: Sequence[list[int]], strategies: Sequence[Weights], last: int) -> list[Weights]:
    """Return the chance that each rank of each seat wins, if the winner of the last trick comes first among equals."""
    below = [[*accumulate(spread(*each), initial=0.0)] for each in zip(hands, strategies, strict=True)]
    order = [*range(last, len(hands)), *range(last)]
    places = {seat: place for place, seat in enumerate(order)}
    return [
        [prod(below[other][rank + (places[seat] < places[other])] for other in order if other != seat) for rank in hand]
        for seat, hand in enumerate(hands)
    ]


def spread(hand: Sequence[int], strategy: Weights) -> Weights:
    """Return the chance of each of all ranks."""
    by_rank = dict(zip(hand, strategy, strict=True))
    return [by_rank.get(rank, 0.0) for rank in range(len(RANKS))]


def uncancelled(hand: Sequence[int], others: Sequence[int]) -> Weights:
    """Return 1 for the ranks that win if the others show theirs and equal ranks cancel, and 0 for all others."""
    best = max((rank for rank in others if others.count(rank) == 1), default=-1)
    return [float(rank > best and rank not in others) for rank in hand]
