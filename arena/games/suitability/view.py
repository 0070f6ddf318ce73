"""What a bot reads in Suitability."""

from collections.abc import Mapping

from arena.games.cards import INDEX, SUIT_OF, SUITS, Card
from arena.games.suitability.rules import powers
from arena.games.tricks import TrickView


class SuitabilityView(TrickView[Card]):
    """What a seat may know in Suitability."""

    __slots__ = ()

    @property
    def hand(self) -> list[Card]:
        """Your cards, in canonical order."""
        return [Card(token) for token in self.data["hand"]]

    @property
    def roles(self) -> Mapping[str, str | None]:
        """The suit of each role (trump, penalty, reverse, plain), None while it has none."""
        return self.data["roles"]  # type: ignore[no-any-return]

    @property
    def nominations(self) -> list[tuple[int, str]]:
        """(seat, nomination) in order, for example (1, "trump:S")."""
        return [(seat, said) for seat, said in self.data["nominations"]]

    @property
    def claims(self) -> list[str | None]:
        """By seat: the privilege claimed in this deal, "decline", or None where the seat had no say yet."""
        return self.data["claims"]  # type: ignore[no-any-return]

    @property
    def leader(self) -> int:
        """Who leads, or led, the current trick."""
        return self.data["leader"]  # type: ignore[no-any-return]

    @property
    def taken(self) -> list[int]:
        """Tricks won in this deal, by seat."""
        return self.data["taken"]  # type: ignore[no-any-return]

    @property
    def penalties(self) -> list[int]:
        """Penalty cards taken in this deal, by seat."""
        return self.data["penalties"]  # type: ignore[no-any-return]

    @property
    def scores(self) -> list[int]:
        """Totals of the deals before, by seat."""
        return self.data["scores"]  # type: ignore[no-any-return]

    @property
    def deal(self) -> int:
        """The number of this deal, from 0."""
        return self.data["deal"]  # type: ignore[no-any-return]

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.data["dealer"]  # type: ignore[no-any-return]

    @property
    def turn_up(self) -> Card | None:
        """Three players: the card turned up before the nominations."""
        return Card(self.data["turn_up"]) if self.data["turn_up"] else None

    @property
    def exchange(self) -> tuple[int, Card] | None:
        """Three players: who took the turn-up, and the card of the plain suit that is out of play for it."""
        return (self.data["exchange"][0], Card(self.data["exchange"][1])) if self.data["exchange"] else None

    def power(self, card: str, led: str | None = None) -> int:
        """How strong a card is in a trick to which `led` (a card; else the current trick's first, else itself) is led.

        The highest power wins the trick; 0 cannot win. For use in play, when every suit has its role.
        """
        led = led or (self.data["trick"][0] if self.data["trick"] else card)
        if Card(led).is_joker:
            return 50 if card == led else 0
        trump, reverse = (SUITS.index(self.data["roles"][role]) for role in ("trump", "reverse"))
        return powers(trump, reverse)[SUIT_OF[INDEX[led]]][INDEX[card]] // 8
