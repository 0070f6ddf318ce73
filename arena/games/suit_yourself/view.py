"""What a bot reads in Suit Yourself."""

from collections.abc import Iterable, Mapping

from arena.games.cards import INDEX, Card
from arena.games.suit_yourself.rules import winner_of
from arena.games.tricks import TrickView


class SuitYourselfView(TrickView[Card]):
    """What a seat may know in Suit Yourself."""

    __slots__ = ()

    @property
    def chosen(self) -> Card | None:
        """Your own choice in a simultaneous step that others have yet to complete."""
        return Card(self.data["chosen"]) if self.data["chosen"] else None

    @property
    def hand(self) -> list[Card]:
        """Your cards, in canonical order; without bids and without cards that you passed."""
        return [Card(token) for token in self.data["hand"]]

    @property
    def round(self) -> int:
        """The number of this round, from 0."""
        return self.data["round"]  # type: ignore[no-any-return]

    @property
    def passing_to(self) -> int | None:
        """In the phase ``pass``: the seat that gets the card which you choose now."""
        return self.data["passing_to"]  # type: ignore[no-any-return]

    @property
    def passed(self) -> list[tuple[int, Card]]:
        """(recipient, card) that you passed in this round: left neighbour, seat opposite, right neighbour."""
        return [(seat, Card(token)) for seat, token in self.data["passed"]]

    @property
    def received(self) -> list[tuple[int, Card]]:
        """(giver, card) that you took up in this round: right neighbour, seat opposite, left neighbour."""
        return [(seat, Card(token)) for seat, token in self.data["received"]]

    @property
    def bids(self) -> list[list[Card | None]]:
        """By seat the bids of this round, the first one first: as many as lie, None for those that you cannot see."""
        return [[Card(token) if token else None for token in cards] for cards in self.data["bids"]]

    @property
    def two_of_clubs(self) -> tuple[int, bool] | None:
        """(seat, bid): who showed the two of clubs, and whether it is one of that seat's bids; None before that."""
        shown = self.data["two_of_clubs"]
        return (shown["seat"], shown["bid"]) if shown else None

    @property
    def leader(self) -> int | None:
        """Who leads, or led, the current trick; None before the play."""
        return self.data["leader"]  # type: ignore[no-any-return]

    @property
    def levels(self) -> Mapping[str, str | None]:
        """The suit of each level (led, trump, supertrump, alpha) in the current trick, None where no suit has it."""
        return self.data["levels"]  # type: ignore[no-any-return]

    @property
    def taken(self) -> list[list[int]]:
        """By seat, how many clubs, diamonds, hearts and spades it has taken in tricks of this round."""
        return self.data["taken"]  # type: ignore[no-any-return]

    @property
    def scores(self) -> list[int]:
        """Totals of the finished rounds, by seat."""
        return self.data["scores"]  # type: ignore[no-any-return]

    @property
    def last_points(self) -> list[int]:
        """Points in the round that was finished last, by seat."""
        return self.data["last_points"]  # type: ignore[no-any-return]

    @property
    def last_won(self) -> list[int]:
        """Bids won in the round that was finished last, by seat."""
        return self.data["last_won"]  # type: ignore[no-any-return]

    def winning(self, trick: Iterable[str]) -> int:
        """Which of these cards, in order of play, wins if no other follows: 0 for the first."""
        return winner_of([INDEX[token] for token in trick])
