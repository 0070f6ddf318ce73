"""What a bot reads in Separate Suits."""

from typing import NamedTuple

from arena.games.base import View


class Trick(NamedTuple):
    """A finished trick."""

    winner: int | None
    """None where the trick was void."""
    attempts: list[list[str]]
    """The ranks that were shown, by seat, once for every attempt: the last decided, the others were taken back."""


class SeparateSuitsView(View):
    """What a seat may know in Separate Suits. Cards are bare ranks, ``2`` to ``A``; their order is `cards.RANKS`."""

    __slots__ = ()

    @property
    def chosen(self) -> str | None:
        """What you have chosen in this step, while others have yet to choose."""
        return self.data["chosen"]  # type: ignore[no-any-return]

    @property
    def hand(self) -> list[str]:
        """Your ranks, ascending, with what you have chosen in this step."""
        return self.data["hand"]  # type: ignore[no-any-return]

    @property
    def packet(self) -> list[str]:
        """Your part of a split hand for the first six tricks, as far as picked or left; else empty."""
        return self.data["packet"]  # type: ignore[no-any-return]

    @property
    def hands(self) -> list[list[str]]:
        """The ranks that every seat still holds: what is played and taken back is public."""
        return self.data["hands"]  # type: ignore[no-any-return]

    @property
    def hand_number(self) -> int:
        """The number of this hand, from 0."""
        return self.data["hand_number"]  # type: ignore[no-any-return]

    @property
    def trick_number(self) -> int:
        """The number of the current trick in this hand, from 0."""
        return self.data["trick_number"]  # type: ignore[no-any-return]

    @property
    def attempt_number(self) -> int:
        """How many times all cards of the current trick have cancelled."""
        return self.data["attempt_number"]  # type: ignore[no-any-return]

    @property
    def cancelling(self) -> bool:
        """Whether equal cards cancel each other in the current trick."""
        return self.data["cancelling"]  # type: ignore[no-any-return]

    @property
    def last_winner(self) -> int | None:
        """Who won the last trick of this hand that somebody won: equal cards are looked at from this seat on."""
        return self.data["last_winner"]  # type: ignore[no-any-return]

    @property
    def attempts(self) -> list[list[str]]:
        """The ranks, by seat, that were shown to the current trick and taken back, in order."""
        return self.data["attempts"]  # type: ignore[no-any-return]

    @property
    def tricks(self) -> list[Trick]:
        """The finished tricks of this hand, in order."""
        return [Trick(winner, attempts) for winner, *attempts in self.data["tricks"]]

    @property
    def piles(self) -> list[list[str]]:
        """The trick pile of every seat: the ranks with which it won in this hand, a point each."""
        return self.data["piles"]  # type: ignore[no-any-return]

    @property
    def discards(self) -> list[list[str]]:
        """The ranks that every seat has spent in this hand without winning."""
        return self.data["discards"]  # type: ignore[no-any-return]

    @property
    def scores(self) -> list[int]:
        """Totals of the hands before, by seat."""
        return self.data["scores"]  # type: ignore[no-any-return]
