"""The common part of views in trick-taking games."""

from typing import Any, ClassVar, Generic, TypeVar

from arena.games.base import View
from arena.games.cards import Card

AnyCard = TypeVar("AnyCard", bound=str)


class TrickView(View, Generic[AnyCard]):
    """Everything that a seat may know; games add their own properties."""

    __slots__ = ()

    card: ClassVar[Any] = Card
    """The class of cards."""

    @property
    def trick(self) -> list[AnyCard]:
        """The cards of the current trick in order of play, beginning with the leader."""
        return [self.card(token) for token in self.data["trick"]]

    @property
    def tricks(self) -> list[tuple[int, list[AnyCard]]]:
        """The finished tricks since the last deal: (leader, cards in order of play)."""
        return [(leader, [self.card(token) for token in cards]) for leader, *cards in self.data["tricks"]]
