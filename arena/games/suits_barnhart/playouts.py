"""Trick play of Suits as tables."""

from typing import Final

from arena.games.cards import mask_of
from arena.games.playouts import TALLIES, Position, Tables, TrickPlay, World
from arena.games.suits_barnhart.rules import HANDS, PAYS, POWER, TRICKS, TrickPlan, plans
from arena.games.suits_barnhart.state import SuitsBarnhartState

_PLAYERS: Final = 4


def trick_play(state: SuitsBarnhartState) -> TrickPlay | None:
    """Return a position in play as tables, without the points won so far; None in other phases and the solitaire."""
    if state.phase != "play" or state.players != _PLAYERS:
        return None
    left = TRICKS - len(state.tricks)
    position = Position(_TABLES[state.leader], state.seat, tuple(state.trick), left, (0,) * _PLAYERS)
    piles = tuple(line[part.stop :] for line, part in zip(state.lines, state.plan.draws, strict=True))
    return TrickPlay(position, World(tuple(map(mask_of, state.hands)), piles=piles))


def _tables(hand: tuple[TrickPlan, ...]) -> Tables:
    draws = tuple(tuple(part.stop - part.start for part in plan.draws) for plan in hand)
    return Tables(
        seats=_PLAYERS,
        suits=(0,) * 52,
        after=((0,),),
        owed=((),),
        power=(POWER,),
        prize=tuple(PAYS[power] for power in POWER),
        worth=(0,) * 52,
        points=(tuple(range(TALLIES)),) * _PLAYERS,
        draws=draws[::-1],
    )


_TABLES: Final = [_tables(plans(_PLAYERS)[hand]) for hand in range(HANDS)]
