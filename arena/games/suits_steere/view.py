"""What a bot reads in Suits."""

from collections.abc import Sequence

from arena.games.spanish import CARDS, INDEX, SpanishCard
from arena.games.suits_steere.rules import best, order
from arena.games.tricks import TrickView


class SuitsSteereView(TrickView[SpanishCard]):
    """What a seat may know in Suits."""

    __slots__ = ()

    card = SpanishCard

    @property
    def hand(self) -> list[SpanishCard]:
        """Your cards, in canonical order."""
        return [SpanishCard(token) for token in self.data["hand"]]

    @property
    def hands(self) -> int:
        """How many hands the match has."""
        return self.data["hands"]  # type: ignore[no-any-return]

    @property
    def hand_number(self) -> int:
        """The number of this hand, from 0."""
        return self.data["hand_number"]  # type: ignore[no-any-return]

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.data["dealer"]  # type: ignore[no-any-return]

    @property
    def leader(self) -> int:
        """Who leads, or led, the current trick."""
        return self.data["leader"]  # type: ignore[no-any-return]

    @property
    def taken(self) -> list[int]:
        """Tricks won in this hand, by seat."""
        return self.data["taken"]  # type: ignore[no-any-return]

    @property
    def scores(self) -> list[int]:
        """Tricks won in the match so far, those of this hand among them, by seat."""
        return self.data["scores"]  # type: ignore[no-any-return]

    @property
    def tie_break(self) -> list[SpanishCard] | None:
        """By seat, the cards that broke the tie for first; None unless they were dealt."""
        dealt = self.data["tie_break"]
        return dealt and [SpanishCard(token) for token in dealt]

    @staticmethod
    def order(cards: Sequence[str]) -> list[SpanishCard]:
        """The three cards of a trick from the highest value to the lowest, whoever played first."""
        return [CARDS[card] for card in order([INDEX[card] for card in cards])]

    @staticmethod
    def winner(cards: Sequence[str]) -> int:
        """Which of the three cards of a trick wins it: 0, 1 or 2."""
        return best(*(INDEX[card] for card in cards))
