"""Play of Separate Suits as tables."""

from functools import cache

from arena.games.cards import RANKS
from arena.games.playouts import TALLIES, Position, Tables, TrickPlay, World
from arena.games.separate_suits.position import SeparateSuitsPosition
from arena.games.separate_suits.rules import NOBODY, RANKS_OF


def trick_play(state: SeparateSuitsPosition) -> TrickPlay | None:
    """Return a position in play as tables, with the tricks won in this hand; None while packets are set aside."""
    if state.phase != "play":
        return None
    winner = None if state.last_winner == NOBODY else state.last_winner
    tried = tuple(held & ~untried for held, untried in zip(state.current, state.untried, strict=True))
    left = len(RANKS) - len(state.tricks)
    tables = _tables(state.players, state.game.options["cancel_every_trick"])
    position = Position(tables, state.seat, (*state.chosen,), left, (*state.taken,), tried, winner)
    return TrickPlay(position, World(state.current, piles=tuple(bytes(RANKS_OF[aside]) for aside in state.aside)))


@cache
def _tables(players: int, cancels: bool) -> Tables:
    nothing = (0,) * len(RANKS)
    return Tables(
        seats=players,
        suits=nothing,
        after=((0,),),
        owed=((),),
        power=(tuple(range(len(RANKS))),),
        prize=(1,) * len(RANKS),
        worth=nothing,
        points=(tuple(range(TALLIES)),) * players,
        simultaneous=True,
        cancels=cancels,
    )
