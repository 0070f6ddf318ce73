"""Planner: nominates to its hand and plays to its role, with two to five players and with a partner.

Before each card it estimates the value of winning the trick at the end of the deal, the chance of each of its cards to
win it, given the unseen cards, and the value that the card would give away.
"""

from collections.abc import Iterable, Mapping

from arena.games.cards import CARDS, RANKS, SUITS, Card
from arena.games.suitability import SuitabilityView
from arena.games.suitability.rules import TABLES
from arena.sdk import Bot

DUCK = 1.0
"""Expected number of tricks below which it tries to win none, which pays 25."""


class Planner(Bot):
    """Plays Suitability."""

    games = ("suitability",)

    def on_start(self) -> None:
        self.players: int = self.options["players"]
        self.partner = (self.seat + 2) % 4 if self.options["partnership"] else None
        table = TABLES[self.players]
        self.each = table.each
        self.pack = [CARDS[card] for card in table.pack]
        self.ranks = [rank for rank in RANKS if Card(rank + "C") in self.pack]
        # Expected tricks of all hands add up to the number of tricks.
        roles = dict(zip(("trump", "reverse", "penalty", "plain"), SUITS, strict=True))
        self.scale = 1.0
        self.scale = self.each / self.strength(self.pack, roles)

    def act(self, view: SuitabilityView) -> str:  # type: ignore[override]
        if view.phase == "nominate":
            return max(view.legal, key=lambda said: self.fit(view.hand, said))
        if view.phase == "privilege":
            return self.privilege(self.strength(view.hand, view.roles))
        return max(view.legal, key=lambda card: self.value(view, Card(card)))

    def height(self, card: Card) -> float:
        """Return the height of a card in its suit, 0 to 12, whatever ranks are in the pack."""
        return 12 * self.ranks.index(card.rank) / (len(self.ranks) - 1)

    def tricks_in(self, hand: Iterable[Card], suit: str, role: str | None = None) -> float:
        """Estimate the number of tricks that the cards of a suit will win."""
        heights = [self.height(card) for card in hand if card.suit == suit]
        if role == "reverse":
            heights = [12 - height for height in heights]
        high = sum(max(0.0, (height - 8) / 4) for height in heights)
        return self.scale * (0.6 * len(heights) + 0.4 * high if role == "trump" else 0.8 * high)

    def strength(self, hand: Iterable[Card], roles: Mapping[str, str | None]) -> float:
        """Estimate the number of tricks that the hand will win."""
        hand = list(hand)
        jokers = sum(card.is_joker for card in hand)
        return sum(self.tricks_in(hand, suit, role) for role, suit in roles.items() if suit) + 0.5 * jokers

    def fit(self, hand: list[Card], nomination: str) -> float:
        """Estimate the points that a role for a suit is worth to this hand, compared with leaving the suit plain."""
        role, suit = nomination.split(":")
        plain = self.tricks_in(hand, suit)
        if role != "penalty":
            return 10 * (self.tricks_in(hand, suit, role) - plain)
        held = [card for card in hand if card.suit == suit]
        low = sum(self.height(card) < 6 for card in held)
        return 9 + 2 * low - 8 * plain - 1.5 * len(held)

    def privilege(self, tricks: float) -> str:
        """Return immunity for a strong hand, poverty for a hopeless one, otherwise the safe 25."""
        if tricks > 5:
            return "immunity"
        return "poverty" if tricks < DUCK else "warranty"

    def value(self, view: SuitabilityView, card: Card) -> float:
        """Return the value of playing this card: chance to win times value of winning, minus the strength spent."""
        stake = [*view.trick, card]
        chance = self.chance_to_win(view, card)
        penalty = view.roles["penalty"]
        to_come = self.players - len(stake)
        penalties = sum(other.suit == penalty for other in stake) + to_come / 4
        wins = self.worth(view, self.seat, penalties)
        spent = self.spent(view, card)
        loses = spent - 0.3 + 1.5 * (card.suit == penalty)
        if self.partner is not None:
            loses += self.partners_chance(view) * self.worth(view, self.partner, penalties)
        return chance * (wins - 0.8 * spent) + (1 - chance) * loses

    def spent(self, view: SuitabilityView, card: Card) -> float:
        """Return the strength that is lost with a card."""
        if card.is_joker:
            return 0.3 if view.trick else 2.0
        return view.power(card, card) / 13

    def worth(self, view: SuitabilityView, seat: int, penalties: float) -> float:
        """Return the final points that one more trick with this number of penalty cards brings to a seat."""
        claim = view.claims[seat]
        tricks, taken = view.taken[seat], view.penalties[seat]
        left = self.each - sum(view.taken) - 1
        expected = tricks + left / self.players
        if claim == "immunity":
            return 5.0
        if claim == "warranty":
            return -1.0
        if claim == "poverty":
            return -10.0 if tricks < 5 else 0.0
        if tricks == 0 and seat == self.seat and self.strength(view.hand, view.roles) < DUCK:
            return -25.0
        danger = taken + 0.02 * left
        return points(expected + 1, danger + penalties) - points(expected, danger)

    def partners_chance(self, view: SuitabilityView) -> float:
        """Return the probability that the partner wins the trick if this seat does not."""
        played = [view.power(card) for card in view.trick]
        if len(played) < 2:
            return 1 / 3
        return 0.8 if played.index(max(played)) == len(played) - 2 else 0.0

    def unseen(self, view: SuitabilityView) -> list[Card]:
        """Return the cards that the others may hold."""
        out = view.exchange[1] if view.exchange else view.turn_up
        seen = {out, *view.hand, *view.trick, *(card for _, cards in view.tricks for card in cards)}
        return [card for card in self.pack if card not in seen]

    def chance_to_win(self, view: SuitabilityView, card: Card) -> float:
        """Return the probability that the card wins the trick, if the unseen cards are spread evenly."""
        led = view.trick[0] if view.trick else card
        power = view.power(card, led)
        if power <= max((view.power(other, led) for other in view.trick), default=0):
            return 0.0
        unseen = self.unseen(view)
        to_come = self.players - len(view.trick) - 1
        if not unseen or not to_come or led.is_joker:
            return 1.0
        share = 1 / (self.players - 1)
        same = [other for other in unseen if other.suit == led.suit]
        better = sum(view.power(other, led) > power for other in same)
        trumps = sum(other.suit == view.roles["trump"] and view.power(other, led) > power for other in unseen)
        beaten_in_suit = 1 - (1 - share * to_come) ** better if better else 0.0
        ruffed = 0.0
        if led.suit != view.roles["trump"] and trumps:
            void = (1 - share) ** len(same)
            ruffed = min(1.0, to_come * void)
        return (1 - 0.8 * beaten_in_suit) * (1 - 0.7 * ruffed)


def points(tricks: float, penalties: float) -> float:
    """Return 10 t / p, or 10 t + 10 without penalty cards, interpolated between whole cards."""
    if penalties >= 1:
        return 10 * tricks / penalties
    return 10 * tricks + 10 * (1 - penalties)
