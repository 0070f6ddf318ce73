"""What a bot reads in Suits."""

from arena.games.base import View
from arena.games.cards import RANKS, Card
from arena.games.suits_barnhart.rules import points_of


class SuitsBarnhartView(View):
    """What a seat may know in Suits. Lists by seat have four entries; in the solitaire 1 to 3 are the dummies."""

    __slots__ = ()

    @property
    def chosen(self) -> str | None:
        """The order in which you put cards back in this step, while others have yet to choose theirs."""
        return self.data["chosen"]  # type: ignore[no-any-return]

    @property
    def drawn(self) -> list[Card]:
        """The cards that you have drawn and not played, in canonical order."""
        return [Card(token) for token in self.data["drawn"]]

    @property
    def pile(self) -> list[Card | None]:
        """Your pile from the top: None for a card that you have not drawn yet, then the cards that you put back."""
        return [Card(token) if token else None for token in self.data["pile"]]

    @property
    def piles(self) -> list[int]:
        """How many cards lie in each pile, by seat."""
        return self.data["piles"]  # type: ignore[no-any-return]

    @property
    def deal(self) -> int:
        """The number of this hand, 0 to 3."""
        return self.data["deal"]  # type: ignore[no-any-return]

    @property
    def suits(self) -> list[str]:
        """The suit of each seat in this hand, such as "H"."""
        return self.data["suits"]  # type: ignore[no-any-return]

    @property
    def leader(self) -> int:
        """Who leads every trick of this hand: the seat that has hearts. The others follow clockwise."""
        return self.data["leader"]  # type: ignore[no-any-return]

    @property
    def trick(self) -> list[Card]:
        """The cards of the current trick in order of play: hearts, diamonds, clubs, spades."""
        return [Card(token) for token in self.data["trick"]]

    @property
    def tricks(self) -> list[tuple[int, list[Card]]]:
        """The finished tricks of this hand: (winner, cards in order of play)."""
        return [(winner, [Card(token) for token in cards]) for winner, *cards in self.data["tricks"]]

    @property
    def points(self) -> list[int]:
        """Points in this hand, by seat."""
        return self.data["points"]  # type: ignore[no-any-return]

    @property
    def scores(self) -> list[int]:
        """Points in all so far, those of this hand with them, by seat."""
        return self.data["scores"]  # type: ignore[no-any-return]

    def unplayed(self, seat: int) -> list[Card]:
        """The cards of a seat's suit that it has yet to play, ascending: its pile, and what it has drawn."""
        suit = self.suits[seat]
        gone = {card for _, cards in self.tricks for card in cards} | set(self.trick)
        return [card for card in (Card(rank + suit) for rank in RANKS) if card not in gone]

    def worth(self, card: str) -> int:
        """The points of a trick that is won with this card."""
        return points_of(card)
