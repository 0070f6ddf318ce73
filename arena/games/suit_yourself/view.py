"""The view of Suit Yourself."""

from collections.abc import Iterable, Mapping

from arena.games.base import Field
from arena.games.cards import INDEX, Card
from arena.games.suit_yourself.rules import winner_of
from arena.games.tricks import TrickView


class SuitYourselfView(TrickView[Card]):
    """Everything that a seat may know in Suit Yourself."""

    __slots__ = ()

    @property
    def chosen(self) -> Card | None:
        """Your own choice in a simultaneous step that others have yet to complete."""
        return Card(self.data["chosen"]) if self.data["chosen"] else None

    @property
    def hand(self) -> list[Card]:
        """Your cards, in canonical order, without bids and passed cards."""
        return [Card(token) for token in self.data["hand"]]

    round = Field[int]("The number of this round, 0-based.")
    passing_to = Field[int | None]("The seat that receives the card you choose now (phase ``pass``).")

    @property
    def passed(self) -> list[tuple[int, Card]]:
        """Cards that you passed in this round, as (recipient, card): left neighbour, seat opposite, right neighbour."""
        return [(seat, Card(token)) for seat, token in self.data["passed"]]

    @property
    def received(self) -> list[tuple[int, Card]]:
        """Cards that you took up in this round, as (giver, card): right neighbour, seat opposite, left neighbour."""
        return [(seat, Card(token)) for seat, token in self.data["received"]]

    @property
    def bids(self) -> list[list[Card | None]]:
        """Bids laid in this round, by seat, the first one first; None for bids that you cannot see."""
        return [[Card(token) if token else None for token in cards] for cards in self.data["bids"]]

    @property
    def two_of_clubs(self) -> tuple[int, bool] | None:
        """The seat that showed the two of clubs, and whether the card is one of that seat's bids; None before that."""
        shown = self.data["two_of_clubs"]
        return (shown["seat"], shown["bid"]) if shown else None

    leader = Field[int | None]("The leader of the current trick; None before play.")
    levels = Field[Mapping[str, str | None]](
        "The suit of each level (led, trump, supertrump, alpha) in the current trick; None if a level has none."
    )
    taken = Field[list[list[int]]]("Clubs, diamonds, hearts and spades taken in tricks of this round, by seat.")
    scores = Field[list[int]]("Totals of the finished rounds, by seat.")
    last_points = Field[list[int]]("Points in the last finished round, by seat.")
    last_won = Field[list[int]]("Bids won in the last finished round, by seat.")

    def winning(self, trick: Iterable[str]) -> int:
        """Return the index, in order of play, of the card that wins if no other follows."""
        return winner_of([INDEX[token] for token in trick])
