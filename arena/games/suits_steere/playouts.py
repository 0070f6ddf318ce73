"""Trick play of Suits as tables."""

from itertools import combinations_with_replacement
from typing import Final

from arena.games.playouts import TALLIES, Position, Tables, TrickPlay, World
from arena.games.spanish import SUIT_OF
from arena.games.suits_steere.position import SuitsSteerePosition
from arena.games.suits_steere.rules import EACH, PLAYERS, values

_NODES: Final = [
    suits for length in range(PLAYERS + 1) for suits in combinations_with_replacement(range(4), length)
]  # fmt: skip
"""Suits in a trick, in any order."""


def trick_play(state: SuitsSteerePosition) -> TrickPlay | None:
    """Return a position in play as tables, without the tricks won so far; None between hands."""
    if state.phase != "play":
        return None
    position = Position(_TABLES, state.seat, tuple(state.trick), EACH - len(state.tricks), (0,) * PLAYERS)
    return TrickPlay(position, World(tuple(sum(1 << card for card in hand) for hand in state.hands)))


def _after(suits: tuple[int, ...]) -> tuple[int, ...]:
    """Return the nodes after a card of each suit; a complete trick has none, so it leads nowhere."""
    if len(suits) == PLAYERS:
        return (_NODES.index(suits),) * 4
    return tuple(_NODES.index(tuple(sorted((*suits, suit)))) for suit in range(4))


def _power(suits: tuple[int, ...]) -> tuple[int, ...]:
    """Return the power of each card in a complete trick of these suits."""
    power = [0] * len(SUIT_OF)
    if len(suits) == PLAYERS:
        for rank in range(12):
            cards = [12 * suit + rank for suit in suits]
            for card, value in zip(cards, values(cards[0], cards[1], cards[2]), strict=True):
                power[card] = value
    least = min(power)
    return tuple(value - least for value in power)


_TABLES: Final = Tables(
    seats=PLAYERS,
    suits=SUIT_OF,
    after=tuple(map(_after, _NODES)),
    owed=((),) * len(_NODES),
    power=tuple(map(_power, _NODES)),
    prize=(1,) * len(SUIT_OF),
    worth=(0,) * len(SUIT_OF),
    points=(tuple(range(TALLIES)),) * PLAYERS,
)
