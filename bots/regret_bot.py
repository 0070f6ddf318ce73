"""Regret: plays Separate Suits, where all choose at the same time, by regret matching.

Each trick is a small game of its own. Before it plays, the bot lets all seats play this trick against each other
hundreds of times; each seat tends to choose the ranks that it regrets not having chosen. The average of its own choices
approaches a strategy that opponents cannot exploit, and it plays a rank at random by it. A rank is worth the trick that
it wins now, minus its chance of winning a trick later, which is known exactly if everyone plays at random.

A strategy that cannot be exploited does not exploit others either. So the more tricks the bot has seen, the more often
it lets the other seats choose as they have before: ranks at the same places of their hands.

Hart, Mas-Colell: A simple adaptive procedure leading to correlated equilibrium. Econometrica 68, 2000.
Johanson, Bowling: Data biased robust counter strategies. AISTATS 2009.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from arena.games.cards import RANKS
from arena.games.separate_suits import SeparateSuitsView
from arena.games.separate_suits.rules import ordinary_winner
from arena.games.separate_suits.view import Trick
from arena.sdk import Bot

CHOICES = 1000
"""Number of choices of all seats together, when they play a trick against each other before a decision."""
DOUBT = 2
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
        prices = [[later(rank, seat, hands) for rank in hand] for seat, hand in enumerate(hands)]
        habits = [self.habit(view, seat, len(hand)) for seat, hand in enumerate(hands)]
        regrets = [[0.0] * len(hand) for hand in hands]
        often = [0.0] * len(hands[view.seat])
        for _ in range(CHOICES // len(hands)):
            strategies = [blend(positive(regret), habit) for regret, habit in zip(regrets, habits, strict=True)]
            shown = [self.rng.choices(*each)[0] for each in zip(hands, strategies, strict=True)]
            for seat, hand in enumerate(hands):
                won = wins(view, shown, seat, hand)
                gains = [win - price for win, price in zip(won, prices[seat], strict=True)]
                played = gains[hand.index(shown[seat])]
                regrets[seat] = [regret + gain - played for regret, gain in zip(regrets[seat], gains, strict=True)]
            total = sum(strategies[view.seat])
            often = [sum_ + weight / total for sum_, weight in zip(often, strategies[view.seat], strict=True)]
        return often

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
    """Return weights of a choice that follows the habit the more often, the more tricks it is known from."""
    scale = DOUBT / sum(strategy)
    return [scale * weight + often for weight, often in zip(strategy, habit, strict=True)]


def untried(view: SeparateSuitsView, seat: int) -> list[str]:
    """Return the ranks that a seat may show in this trick, as far as others know."""
    tried = {attempt[seat] for attempt in view.attempts}
    return [rank for rank in view.hands[seat] if rank not in tried]


def positive(regrets: Weights) -> Weights:
    """Return the positive regrets as weights of a choice; equal weights if there are none."""
    weights = [max(0.0, regret) for regret in regrets]
    return weights if any(weights) else [1.0] * len(regrets)


def later(rank: int, seat: int, hands: Sequence[Sequence[int]]) -> float:
    """Return the chance that a rank wins a trick in which the other seats show any of their ranks."""
    return prod(
        (sum(card < rank for card in hand) + hand.count(rank) / 2) / len(hand)
        for other, hand in enumerate(hands)
        if other != seat
    )


def wins(view: SeparateSuitsView, shown: Sequence[int], seat: int, hand: Sequence[int]) -> list[bool]:
    """Return which ranks of a seat win if the others show theirs."""
    others = [*shown[:seat], *shown[seat + 1 :]]
    if view.cancelling or view.last_winner is None:
        best = max((rank for rank in others if others.count(rank) == 1), default=-1)
        return [rank > best and rank not in others for rank in hand]
    best = max(others)
    tie = ordinary_winner([*shown[:seat], best, *shown[seat + 1 :]], view.last_winner) == seat
    return [rank > best - tie for rank in hand]
