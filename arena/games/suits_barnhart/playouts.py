"""Trick play of Suits as tables."""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.games.cards import mask_of
from arena.games.playouts import TALLIES, Position, Tables, TrickPlay, World
from arena.games.suits_barnhart.position import SuitsBarnhartPosition
from arena.games.suits_barnhart.rules import PAYS, PLANS, POWER, TRICKS, TrickPlan

_SEATS: Final = 4


def trick_play(state: SuitsBarnhartPosition) -> TrickPlay | None:
    """Return a position in play as tables, without the points won so far; None in other phases.

    A dummy is a player that draws one card. The solitaire's hand is played to its end, even if the match would be over.
    """
    if state.phase != "play":
        return None
    left = TRICKS - len(state.tricks)
    position = Position(_TABLES[state.players][state.leader], state.seat, tuple(state.trick), left, (0,) * _SEATS)
    hands, piles = zip(*_cards(state), strict=True)
    return TrickPlay(position, World(tuple(map(mask_of, hands)), piles=piles))


def _cards(state: SuitsBarnhartPosition) -> Iterator[tuple[Sequence[int], bytes]]:
    """Yield the hand and the pile of each seat. The hand of a dummy is the card that it will flip."""
    for seat, (line, pile) in enumerate(zip(state.lines, state.piles(), strict=True)):
        at = len(line) - pile
        if seat < state.players:
            yield state.hands[seat], line[at:]
        else:
            next_at = len(state.tricks) + 1
            yield line[at:next_at], line[next_at:]


def _tables(hand: tuple[TrickPlan, ...]) -> Tables:
    draws = tuple((*(part.stop - part.start for part in plan.draws), 1, 1, 1)[:_SEATS] for plan in hand)
    return Tables(
        seats=_SEATS,
        suits=(0,) * 52,
        after=((0,),),
        owed=((),),
        power=(POWER,),
        prize=tuple(PAYS[power] for power in POWER),
        worth=(0,) * 52,
        points=(tuple(range(TALLIES)),) * _SEATS,
        draws=draws[::-1],
    )


_TABLES: Final = {players: [*map(_tables, plans)] for players, plans in PLANS.items()}
"""Tables by number of players and hand."""
