"""Greedy: thinks one card ahead. It takes every trick that it can take without penalty cards and ducks the others."""

from arena.games.cards import RANKS, Card
from arena.games.suitability import SuitabilityView
from arena.sdk import Bot


class Greedy(Bot):
    """Plays Suitability."""

    games = ("suitability",)

    def act(self, view: SuitabilityView) -> str:  # type: ignore[override]
        if view.phase == "nominate":
            return max(view.legal, key=lambda said: self.liking(view, said))
        if view.phase == "privilege":
            return "immunity" if sum(card.rank in "QKA" for card in view.hand) >= 4 else "warranty"
        return self.lead(view) if not view.trick else self.follow(view)

    def liking(self, view: SuitabilityView, nomination: str) -> float:
        """How well a nomination fits the hand: long trumps, short penalties, low cards in reverse."""
        role, suit = nomination.split(":")
        ranks = [RANKS.index(card.rank) for card in view.hand if card.suit == suit]
        if role == "trump":
            return len(ranks) + sum(ranks) / 24
        if role == "penalty":
            return 4 - len(ranks)
        return sum(2 - rank / 3 for rank in ranks) / 2

    def lead(self, view: SuitabilityView) -> str:
        """The strongest card outside the penalty suit."""
        clean = [card for card in view.legal if Card(card).suit != view.roles["penalty"]]
        return max(clean or view.legal, key=view.power)

    def follow(self, view: SuitabilityView) -> str:
        """The cheapest winner where the trick is clean; else the strongest loser, penalty cards first."""
        penalty = view.roles["penalty"]
        to_beat = max(map(view.power, view.trick))
        winners = [card for card in view.legal if view.power(card) > to_beat]
        losers = [card for card in view.legal if card not in winners]
        if winners and (not losers or not any(card.suit == penalty for card in view.trick)):
            return min(winners, key=view.power)
        return max(losers, key=lambda card: (Card(card).suit == penalty, view.power(card)))
