"""Planner: nominates to its hand and plays to its role.

Before each card it asks what winning the trick would be worth at the end of the deal, how likely each of its cards is
to win it, given the cards that it has not seen, and what it would give away.
"""

from collections.abc import Iterable

from arena.games.cards import CARDS, RANKS, Card
from arena.games.suitability import SuitabilityView
from arena.sdk import Bot

DECK = CARDS[:52]
DUCK = 1.0
"""Below this many expected tricks the planner tries to win none, which pays 25."""


class Planner(Bot):
    """Plays Suitability for four."""

    games = ("suitability",)

    def act(self, view: SuitabilityView) -> str:  # type: ignore[override]
        if view.phase == "nominate":
            return max(view.legal, key=lambda said: fit(view.hand, said))
        if view.phase == "privilege":
            return privilege(view)
        return max(view.legal, key=lambda card: value(view, Card(card)))


def tricks_in(hand: Iterable[Card], suit: str, *, trump: bool = False, reverse: bool = False) -> float:
    """About how many tricks the cards of a suit will win."""
    ranks = [RANKS.index(card.rank) for card in hand if card.suit == suit]
    heights = [12 - rank if reverse else rank for rank in ranks]
    high = sum(max(0.0, (height - 8) / 4) for height in heights)
    return 0.6 * len(ranks) + 0.4 * high if trump else 0.8 * high


def fit(hand: list[Card], nomination: str) -> float:
    """Points, roughly, that a role for a suit is worth to this hand, over leaving the suit plain."""
    role, suit = nomination.split(":")
    plain = tricks_in(hand, suit)
    if role == "trump":
        return 10 * (tricks_in(hand, suit, trump=True) - plain)
    if role == "reverse":
        return 10 * (tricks_in(hand, suit, reverse=True) - plain)
    low = sum(RANKS.index(card.rank) < 6 for card in hand if card.suit == suit)
    return 9 + 2 * low - 8 * plain - 1.5 * sum(card.suit == suit for card in hand)


def privilege(view: SuitabilityView) -> str:
    """Immunity for a strong hand, poverty for a hopeless one, else the safe 25."""
    tricks = strength(view)
    if tricks > 5.5:
        return "immunity"
    return "poverty" if tricks < DUCK else "warranty"


def strength(view: SuitabilityView) -> float:
    """About how many tricks the hand will win."""
    roles = [(role, suit) for role, suit in view.roles.items() if suit]
    return sum(tricks_in(view.hand, suit, trump=role == "trump", reverse=role == "reverse") for role, suit in roles)


def value(view: SuitabilityView, card: Card) -> float:
    """What playing this card is worth: chance to win times worth of winning, less the strength that it spends."""
    stake = [*view.trick, card]
    chance = chance_to_win(view, card)
    penalties = sum(other.suit == view.roles["penalty"] for other in stake)
    to_come = 4 - len(stake)
    wins = worth(view, view.seat, penalties + 0.25 * to_come)
    spent = view.power(card, card) / 13
    dumped = 1.5 * (card.suit == view.roles["penalty"])
    return chance * wins + (1 - chance) * (spent + dumped - 0.3) - 0.8 * chance * spent


def worth(view: SuitabilityView, seat: int, penalties: float) -> float:
    """Points at the end of the deal that one more trick with so many penalty cards brings to a seat."""
    claim = view.claims[seat]
    tricks, taken = view.taken[seat], view.penalties[seat]
    left = 13 - sum(view.taken) - 1
    expected = tricks + left / 4
    if claim == "immunity":
        return 5.0
    if claim == "warranty":
        return -1.0
    if claim == "poverty":
        return -10.0 if tricks < 5 else 0.0
    if tricks == 0 and seat == view.seat and strength(view) < DUCK:
        return -25.0
    danger = taken + 0.02 * left
    return points(expected + 1, danger + penalties) - points(expected, danger)


def points(tricks: float, penalties: float) -> float:
    """The rule 10 t / p, and 10 t + 10 without penalty cards, made smooth between whole cards."""
    if penalties >= 1:
        return 10 * tricks / penalties
    return 10 * tricks + 10 * (1 - penalties)


def chance_to_win(view: SuitabilityView, card: Card) -> float:
    """How likely the card is to win the trick, if the unseen cards are spread evenly."""
    led = view.trick[0] if view.trick else card
    power = view.power(card, led)
    if power <= max((view.power(other, led) for other in view.trick), default=0):
        return 0.0
    seen = {*view.hand, *view.trick, *(other for _, cards in view.tricks for other in cards)}
    unseen = [other for other in DECK if other not in seen]
    same = [other for other in unseen if other.suit == led.suit]
    better = sum(view.power(other, led) > power for other in same)
    trumps = sum(other.suit == view.roles["trump"] and view.power(other, led) > power for other in unseen)
    to_come = 3 - len(view.trick)
    if not unseen or not to_come:
        return 1.0
    share = 1 / 3
    beaten_in_suit = 1 - (1 - share * to_come) ** better if better else 0.0
    ruffed = 0.0
    if led.suit != view.roles["trump"] and trumps:
        void = (1 - share) ** len(same)
        ruffed = min(1.0, to_come * void)
    return (1 - 0.8 * beaten_in_suit) * (1 - 0.7 * ruffed)
