"""Trick play of Suit Yourself as tables."""

from collections.abc import Iterator
from typing import Final

from arena.games.cards import SUIT_OF
from arena.games.playouts import Position, Tables, TrickPlay, World
from arena.games.suit_yourself.position import TRICK, SuitYourselfPosition
from arena.games.suit_yourself.rules import FOOT, PLAYERS, ROUND_TRICKS, SUIT_COUNT, SuitLadder, bid_value

_SUIT: Final = tuple(8191 << 13 * suit for suit in range(4))


def trick_play(state: SuitYourselfPosition) -> TrickPlay | None:
    """Return a position in play as tables; None before play and between rounds. A tally is a packed count."""
    if state.phase != "play":
        return None
    left = ROUND_TRICKS - len(state.played) // TRICK
    hands = tuple(sum(state.hands[4 * seat + suit] << 13 * suit for suit in range(4)) for seat in range(PLAYERS))
    position = Position(_TABLES, state.seat, tuple(state.trick()), left, tuple(state.taken))
    return TrickPlay(position, World(hands, state.bids))


def _ladders(ladder: SuitLadder) -> Iterator[SuitLadder]:
    """Yield this ladder and all ladders that cards lead to."""
    yield ladder
    for after in ladder.after:
        if after is not ladder:
            yield from _ladders(after)


_NODES: Final = [*_ladders(FOOT)]
_TABLES: Final = Tables(
    seats=PLAYERS,
    suits=SUIT_OF[:52],
    after=tuple(tuple(map(_NODES.index, ladder.after)) for ladder in _NODES),
    owed=tuple(tuple(_SUIT[suit] for suit in ladder.suits) for ladder in _NODES),
    power=tuple(ladder.power for ladder in _NODES),
    prize=(0,) * 52,
    worth=SUIT_COUNT,
    bids=tuple((4 * SUIT_OF[card], bid_value(card)) for card in range(52)),
)
