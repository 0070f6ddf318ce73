"""What bots read in every game that is played card by card to tricks."""

from typing import Any, ClassVar, Generic, TypeVar

from arena.games.base import View
from arena.games.cards import Card

AnyCard = TypeVar("AnyCard", bound=str)


class TrickView(View, Generic[AnyCard]):
    """What a seat may know; games add what is their own."""

    __slots__ = ()

    card: ClassVar[Any] = Card
    """What the tokens of cards are made into."""

    @property
    def trick(self) -> list[AnyCard]:
        """The cards of the current trick in order of play, from the leader on."""
        return [self.card(token) for token in self.data["trick"]]

    @property
    def tricks(self) -> list[tuple[int, list[AnyCard]]]:
        """The finished tricks since the last deal: (leader, cards in order of play)."""
        return [(leader, [self.card(token) for token in cards]) for leader, *cards in self.data["tricks"]]
