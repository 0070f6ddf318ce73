"""Trick play of Suitability as tables."""

from functools import cache
from typing import Final

from arena.games.cards import SUIT_OF, TOKENS
from arena.games.playouts import TALLIES, Position, Tables, TrickPlay, World
from arena.games.suitability.auction import Auction
from arena.games.suitability.position import SuitabilityPosition
from arena.games.suitability.rules import TABLES, deal_score, powers

_ALL: Final = (1 << 13) - 1
_SUITS: Final = tuple(_ALL << 13 * suit for suit in range(4))
_JOKERS: Final = 7 << 52
# Node 0 is before the lead; the others are the suits led. A tally is the tricks, plus 16 for each penalty card.
_AFTER: Final = ((1, 2, 3, 4, 5), *((node,) * 5 for node in range(1, 6)))
_OWED: Final = ((), *((suit,) for suit in _SUITS), ())
_TALLIES: Final = tuple((tally % 16, tally // 16) for tally in range(TALLIES))


def trick_play(state: SuitabilityPosition) -> TrickPlay | None:
    """Return a position in play as tables; None before play and between deals."""
    if state.phase != "play":
        return None
    players = state.game.players
    tallies = (tricks + 16 * penalties for tricks, penalties in zip(state.taken, state.penalties, strict=True))
    left = TABLES[players].each - len(state.played) // (1 + players)
    hands = (sum(state.hands[5 * suit + seat] << 13 * suit for suit in range(5)) for seat in range(players))
    position = Position(tables(state.auction), state.seat, tuple(state.trick()), left, tuple(tallies))
    return TrickPlay(position, World(tuple(hands)))


def tables(auction: Auction) -> Tables:
    """Return the tables of deals with these nominations and claims."""
    return _tables(auction.suits[0], auction.penalty // 5, auction.suits[2], auction.claims)


@cache
def _tables(trump: int, penalty: int, reverse: int, claims: tuple[str | None, ...]) -> Tables:
    by_claim = {claim: tuple(deal_score(*tally, claim) for tally in _TALLIES) for claim in claims}
    return Tables(
        seats=len(claims),
        suits=SUIT_OF,
        after=_AFTER,
        owed=_OWED,
        power=((0,) * len(TOKENS), *powers(trump, reverse)),
        prize=(1,) * len(TOKENS),
        worth=tuple(16 * (suit == penalty) for suit in SUIT_OF),
        points=tuple(by_claim[claim] for claim in claims),
        always=_JOKERS,
    )
