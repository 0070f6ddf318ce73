"""The view of Suitability."""

from collections.abc import Mapping

from arena.games.base import Field
from arena.games.cards import INDEX, SUIT_OF, SUITS, Card
from arena.games.suitability.rules import powers
from arena.games.tricks import TrickView


class SuitabilityView(TrickView[Card]):
    """Everything that a seat may know in Suitability."""

    __slots__ = ()

    roles = Field[Mapping[str, str | None]](
        "The suit of each role (trump, penalty, reverse, plain); None for roles that are not named yet."
    )

    @property
    def nominations(self) -> list[tuple[int, str]]:
        """(seat, nomination) in order, for example (1, "trump:S")."""
        return [(seat, said) for seat, said in self.data["nominations"]]

    claims = Field[list[str | None]](
        'The privilege claimed in this deal or "decline", by seat; None if the seat has not spoken.'
    )
    leader = Field[int]("The leader of the current trick.")
    taken = Field[list[int]]("Tricks won in this deal, by seat.")
    penalties = Field[list[int]]("Penalty cards taken in this deal, by seat.")
    scores = Field[list[int]]("Totals of the previous deals, by seat.")
    deal = Field[int]("The number of this deal, 0-based.")
    dealer = Field[int]("The dealer's seat.")

    @property
    def turn_up(self) -> Card | None:
        """The card turned up before the nominations (three players)."""
        return Card(self.data["turn_up"]) if self.data["turn_up"] else None

    @property
    def exchange(self) -> tuple[int, Card] | None:
        """The seat that took the turn-up, and the card of the plain suit that left the play for it (three players)."""
        return (self.data["exchange"][0], Card(self.data["exchange"][1])) if self.data["exchange"] else None

    def power(self, card: str, led: str | None = None) -> int:
        """Return the strength of a card if `led` is led (default: the current trick's first card, else the card).

        The highest power wins the trick; 0 cannot win. Valid during play, when every suit has its role.
        """
        led = led or (self.data["trick"][0] if self.data["trick"] else card)
        if Card(led).is_joker:
            return 50 if card == led else 0
        trump, reverse = (SUITS.index(self.data["roles"][role]) for role in ("trump", "reverse"))
        return powers(trump, reverse)[SUIT_OF[INDEX[led]]][INDEX[card]] // 8
