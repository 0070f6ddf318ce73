"""The view of Suits."""

from arena.games.base import Field, View
from arena.games.cards import RANKS, Card
from arena.games.suits_barnhart.rules import points_of


class SuitsBarnhartView(View):
    """Everything that a seat may know in Suits. Lists by seat have four entries; solitaire dummies are 1 to 3."""

    __slots__ = ()

    chosen = Field[str | None](
        "The order in which you put cards back in this step, while others have yet to choose theirs."
    )

    @property
    def drawn(self) -> list[Card]:
        """Your drawn and unplayed cards, in canonical order."""
        return [Card(token) for token in self.data["drawn"]]

    @property
    def pile(self) -> list[Card | None]:
        """Your pile from the top: None for cards not drawn yet, then the cards that you put back."""
        return [Card(token) if token else None for token in self.data["pile"]]

    piles = Field[list[int]]("The number of cards in each pile, by seat.")
    deal = Field[int]("The number of this hand, 0 to 3.")
    suits = Field[list[str]]('The suit of each seat in this hand, such as "H".')
    leader = Field[int]("The seat that has hearts and leads every trick of this hand. The others follow clockwise.")

    @property
    def trick(self) -> list[Card]:
        """The cards of the current trick in order of play: hearts, diamonds, clubs, spades."""
        return [Card(token) for token in self.data["trick"]]

    @property
    def tricks(self) -> list[tuple[int, list[Card]]]:
        """The finished tricks of this hand: (winner, cards in order of play)."""
        return [(winner, [Card(token) for token in cards]) for winner, *cards in self.data["tricks"]]

    points = Field[list[int]]("Points in this hand, by seat.")
    scores = Field[list[int]]("Total points, including this hand, by seat.")

    def unplayed(self, seat: int) -> list[Card]:
        """Return the cards of a seat's suit that it has yet to play, ascending: its pile and its drawn cards."""
        suit = self.suits[seat]
        gone = {card for _, cards in self.tricks for card in cards} | set(self.trick)
        return [card for card in (Card(rank + suit) for rank in RANKS) if card not in gone]

    def worth(self, card: str) -> int:
        """Return the points of a trick won with this card."""
        return points_of(card)
