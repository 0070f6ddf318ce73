"""Parts of the views of all trick-taking games."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from arena.games.base import View
from arena.games.cards import Card
from arena.games.events import Json

AnyCard = TypeVar("AnyCard", bound=str)


class TrickView(View, Generic[AnyCard]):
    """Everything that a seat may know; games add their own properties."""

    __slots__ = ()

    card: ClassVar[Any] = Card
    """The class of cards."""

    @property
    def hand(self) -> list[AnyCard]:
        """Your cards, in canonical order."""
        return [self.card(token) for token in self.data["hand"]]

    @property
    def trick(self) -> list[AnyCard]:
        """The cards of the current trick in order of play, beginning with the leader."""
        return [self.card(token) for token in self.data["trick"]]

    @property
    def tricks(self) -> list[tuple[int, list[AnyCard]]]:
        """The finished tricks since the last deal: (leader, cards in order of play)."""
        return [(leader, [self.card(token) for token in cards]) for leader, *cards in self.data["tricks"]]


def plays(view: Mapping[str, Json], players: int, index: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """Yield the cards played since the last deal, in order: (seat, card). `index` has the card of each token."""
    for leader, *tokens in [*view["tricks"], [view["leader"], *view["trick"]]]:
        for turn, token in enumerate(tokens):
            yield (leader + turn) % players, index[token]
