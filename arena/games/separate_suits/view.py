"""The view of Separate Suits."""

from typing import NamedTuple

from arena.games.base import Field, View


class Trick(NamedTuple):
    """A finished trick."""

    winner: int | None
    """The winning seat; None if the trick was void."""
    attempts: list[list[str]]
    """Ranks shown by seat, one list per attempt: the last one decided, the others were taken back."""


class SeparateSuitsView(View):
    """Everything that a seat may know in Separate Suits. Cards are bare ranks, ``2`` to ``A``, as in `cards.RANKS`."""

    __slots__ = ()

    chosen = Field[str | None]("Your choice in this step, while others have yet to choose.")
    hand = Field[list[str]]("Your ranks, ascending, including your choice in this step.")
    packet = Field[list[str]](
        "Your part of a split hand for the first six tricks, as far as picked or still held; otherwise empty."
    )
    hands = Field[list[list[str]]]("The ranks that each seat still holds; cards played and taken back are public.")
    hand_number = Field[int]("The number of this hand, 0-based.")
    trick_number = Field[int]("The number of the current trick in this hand, 0-based.")
    attempt_number = Field[int]("How many times all cards of the current trick have cancelled.")
    cancelling = Field[bool]("Whether equal cards cancel each other in the current trick.")
    last_winner = Field[int | None](
        "Winner of the last trick of this hand that was not void; ties are resolved clockwise from this seat."
    )
    attempts = Field[list[list[str]]]("Ranks by seat that were shown in the current trick and taken back, in order.")

    @property
    def tricks(self) -> list[Trick]:
        """The finished tricks of this hand, in order."""
        return [Trick(winner, attempts) for winner, *attempts in self.data["tricks"]]

    piles = Field[list[list[str]]](
        "The trick pile of each seat: the ranks with which it won in this hand, a point each."
    )
    discards = Field[list[list[str]]]("The ranks that each seat has spent in this hand without winning.")
    scores = Field[list[int]]("Totals of the previous hands, by seat.")
