"""The view of Suits."""

from collections.abc import Sequence

from arena.games.base import Field
from arena.games.spanish import CARDS, INDEX, SpanishCard
from arena.games.suits_steere.rules import best, order
from arena.games.tricks import TrickView


class SuitsSteereView(TrickView[SpanishCard]):
    """Everything that a seat may know in Suits."""

    __slots__ = ()

    card = SpanishCard

    hands = Field[int]("The number of hands in the match.")
    hand_number = Field[int]("The number of this hand, 0-based.")
    dealer = Field[int]("The dealer's seat.")
    leader = Field[int]("The leader of the current trick.")
    taken = Field[list[int]]("Tricks won in this hand, by seat.")
    scores = Field[list[int]]("Tricks won in the match, including this hand, by seat.")

    @property
    def tie_break(self) -> list[SpanishCard] | None:
        """The cards that broke the tie for first, by seat; None if there was no tie-break."""
        dealt = self.data["tie_break"]
        return dealt and [SpanishCard(token) for token in dealt]

    @staticmethod
    def order(cards: Sequence[str]) -> list[SpanishCard]:
        """Return the three cards of a trick from the highest value to the lowest; the order of play does not matter."""
        return [CARDS[card] for card in order([INDEX[card] for card in cards])]

    @staticmethod
    def winner(cards: Sequence[str]) -> int:
        """Return the index of the winning card among the three of a trick: 0, 1 or 2."""
        return best(*(INDEX[card] for card in cards))
