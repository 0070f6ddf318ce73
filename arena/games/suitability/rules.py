"""Fixed parts of Suitability: packs, tokens of actions, the power of cards, the score of a deal."""

from functools import cache
from typing import Final, NamedTuple

from arena.games.cards import INDEX, RANKS, SUITS
from arena.games.cards import TOKENS as CARD_TOKENS
from arena.words import N_

JOKER: Final = 4
"""Suit number of the jokers."""
ROLES: Final = (N_("trump"), N_("penalty"), N_("reverse"))
CLAIMS: Final = (N_("immunity"), N_("warranty"), N_("poverty"), N_("decline"))
IMMUNITY, WARRANTY, POVERTY, DECLINE = CLAIMS
FIRST_NOMINATION: Final = len(CARD_TOKENS)
FIRST_CLAIM: Final = FIRST_NOMINATION + 12
NOMINATIONS: Final = tuple(f"{role}:{suit}" for role in ROLES for suit in SUITS)
TOKENS: Final[tuple[str, ...]] = (*CARD_TOKENS, *NOMINATIONS, *CLAIMS)
ACTIONS: Final = {token: action for action, token in enumerate(TOKENS)}
CLAIM_ACTIONS: Final = tuple(range(FIRST_CLAIM, FIRST_CLAIM + 4))


class TableSetup(NamedTuple):
    """Parameters that depend on the number of players. Seats are counted clockwise from the dealer."""

    pack: tuple[int, ...]
    each: int
    """Number of cards dealt to each player."""
    nominators: tuple[int, ...]
    claimants: tuple[int, ...]
    """Seats that may claim a privilege; the second only if the first declines."""


def _pack(ranks: str, jokers: int = 0) -> tuple[int, ...]:
    return (*(INDEX[rank + suit] for suit in SUITS for rank in ranks), *range(52, 52 + jokers))


TABLES: Final = {
    2: TableSetup(_pack("89TJQKA"), 14, (1, 0, 1), (0,)),
    3: TableSetup(_pack("23456TJQKA"), 13, (1, 2, 0), ()),
    4: TableSetup(_pack(RANKS), 13, (1, 2, 3), (0,)),
    5: TableSetup(_pack(RANKS, jokers=3), 11, (1, 2, 3), (4, 0)),
}


def deal_score(tricks: int, penalties: int, claim: str | None = DECLINE) -> int:
    """Return the points of one deal for a seat with `tricks` tricks that hold `penalties` penalty cards.

    Without a privilege the claim is DECLINE, or None if the seat could not claim.
    """
    if claim == WARRANTY:
        return 25
    if claim == POVERTY:
        missing = max(0, 5 - tricks)
        return 10 * missing // max(1, penalties)
    if tricks == 0:
        return 25
    if claim == IMMUNITY:
        return 5 * tricks
    return 10 * tricks // penalties if penalties else 10 * tricks + 10


@cache
def powers(trump: int, reverse: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each suit led (4 = a joker), the power of every card: a multiple of 8; 0 cannot win.

    A joker that is led wins: no following card has any power.
    """

    def power(card: int, led: int) -> int:
        suit, rank = divmod(card, 13)
        if JOKER in (suit, led):
            return 0
        if suit == trump:
            return 20 + rank
        if suit != led:
            return 0
        return 13 - rank if suit == reverse else 1 + rank

    return tuple(tuple(8 * power(card, led) for card in range(len(CARD_TOKENS))) for led in range(5))


class Deal(NamedTuple):
    """A board: hands as masks by seat, and the turn-up with three players (otherwise -1)."""

    hands: tuple[int, ...]
    turn_up: int = -1
