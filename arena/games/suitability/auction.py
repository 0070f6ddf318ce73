"""Nominations and claims before play, as a tree of positions that all matches share.

There are few positions (144 orders of nomination, and the claims); they depend on no card, and each is reached often.
So a position is made when it is first reached, never changes, and holds all that play needs from it.
"""

from functools import cache
from typing import Final

from arena.games.cards import SUITS
from arena.games.suitability.rules import (
    CLAIM_ACTIONS,
    DECLINE,
    FIRST_NOMINATION,
    ROLES,
    TABLES,
    TOKENS,
    powers,
)  # fmt: skip

PLAIN: Final = len(ROLES)
NAMES: Final = (*ROLES, "plain")


class Auction:
    """The nominations and claims of a deal so far, and the next speaker; complete in phase ``play``."""

    __slots__ = (
        "after", "choices", "claims", "dealer", "legal", "nominations", "penalty", "phase", "powers", "roles",
        "speakers", "suits",
    )  # fmt: skip

    def __init__(
        self,
        dealer: int,
        speakers: tuple[int, ...],
        nominations: tuple[tuple[int, str], ...],
        claims: tuple[str | None, ...],
    ) -> None:
        self.dealer = dealer
        self.speakers = speakers
        """Seats that have yet to nominate, then seats that may claim, in order."""
        self.nominations = nominations
        """(seat, token) in order."""
        self.claims = claims
        """Claims by seat; None before the seat has spoken, or if it may not."""
        self.suits = _suits(nominations)
        """Suit numbers by role: trump, penalty, reverse, plain; named roles only."""
        self.roles = {name: SUITS[self.suits[role]] if role in self.suits else None for role, name in enumerate(NAMES)}
        """Suit letters by role; None for a role that is not named."""
        self.after: dict[int, Auction] = {}
        self.powers: tuple[tuple[int, ...], ...] = ()
        self.penalty = -1
        """Five times the penalty suit, which is how `state` numbers suits."""
        self.phase = "nominate"
        self.legal = _left(self.suits)
        if PLAIN in self.suits:
            self.powers = powers(self.suits[0], self.suits[2])
            self.penalty = 5 * self.suits[1]
            self.phase = "privilege" if speakers else "play"
            self.legal = CLAIM_ACTIONS
        self.choices = tuple(TOKENS[action] for action in self.legal)
        """Tokens that may be chosen."""

    def then(self, action: int) -> "Auction":
        """Return the position after the next speaker has chosen this."""
        if action not in self.after:
            self.after[action] = self._said(TOKENS[action])
        return self.after[action]

    def _said(self, token: str) -> "Auction":
        seat, rest = self.speakers[0], self.speakers[1:]
        if self.phase == "nominate":
            return Auction(self.dealer, rest, (*self.nominations, (seat, token)), self.claims)
        claims = (*self.claims[:seat], token, *self.claims[seat + 1 :])
        return Auction(self.dealer, rest if token == DECLINE else (), self.nominations, claims)


def _suits(nominations: tuple[tuple[int, str], ...]) -> dict[int, int]:
    """Return the suits by role; the last suit is plain as soon as the others are named."""
    named = (token.split(":") for _, token in nominations)
    suits = {ROLES.index(role): SUITS.index(suit) for role, suit in named}
    return suits | {PLAIN: 6 - sum(suits.values())} if len(suits) == PLAIN else suits


def _left(suits: dict[int, int]) -> tuple[int, ...]:
    """Return the nominations still possible: suits and roles not named yet."""
    free = [suit for suit in range(4) if suit not in suits.values()]
    return tuple(FIRST_NOMINATION + 4 * role + suit for role in range(PLAIN) if role not in suits for suit in free)


@cache
def opening(players: int, dealer: int) -> Auction:
    """Return the position before the first nomination."""
    table = TABLES[players]
    speakers = tuple((dealer + turn) % players for turn in table.nominators + table.claimants)
    return Auction(dealer, speakers, (), (None,) * players)
