"""Bots of known order of strength for Suitability, as a search would play them: on positions, without views or a cage.

Each plays what the house bot Greedy plays, but blunders: with a chance that is its own, a move is any legal one.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from arena.games.base import CHANCE, OVER, Board, Game
from arena.games.suitability.rules import ACTIONS, FIRST_NOMINATION
from arena.games.suitability.state import FIVE_SUITS, SuitabilityState

Dice = Callable[[SuitabilityState], int]
"""64 bits for a move of whoever is to move."""

IMMUNITY: Final = ACTIONS["immunity"]
WARRANTY: Final = ACTIONS["warranty"]
COURT: Final = 0b111 << 10
"""Queen, king and ace in the mask of a suit."""
LOW: Final = 2**32 - 1
ALL: Final = 2**64 - 1


def play(game: Game, boards: Sequence[Board], blunders: Sequence[float], dice: Dice) -> list[int]:
    """The ranks of a match on these boards, by seat; `blunders` are the chances of one, by seat."""
    state = game.start()
    assert isinstance(state, SuitabilityState)  # noqa: S101 - narrows the type
    while state.seat != OVER:
        if state.seat == CHANCE:
            state.deal(boards[state.boards])
        state.apply(_move(state, blunders[state.seat], dice))
    return game.ranks(state.keys())


def _move(state: SuitabilityState, blunder: float, dice: Dice) -> int:
    legal = state.legal(state.seat)
    if len(legal) == 1:
        return legal[0]
    chance, choice = divmod(dice(state), 2**32)
    return legal[choice * len(legal) >> 32] if chance < blunder * 2**32 else greedy(state, legal)


def fickle(rng: Random) -> Dice:
    """Blunders come anew whenever a position does, as with bots that draw lots."""
    return lambda state: rng.getrandbits(64)


def steady(state: SuitabilityState) -> int:
    """The same bits for the same knowledge, as bots that draw no lots play: who blunders more does so wherever the
    others do, and in more positions. SplitMix64's finalizer (Steele, Lea and Flood 2014) of what the seat knows.
    """
    said = state.auction.suits.values()
    bits = hash((state.boards, *said, *state.hands[state.seat : 20 : 5], *state.played)) & ALL
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & ALL
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & ALL
    return bits ^ bits >> 31


def greedy(state: SuitabilityState, legal: Sequence[int]) -> int:
    """What Greedy does here (`bots.greedy_bot`)."""
    if state.auction.phase == "nominate":
        return max(legal, key=lambda said: _liking(state, *divmod(said - FIRST_NOMINATION, 4)))
    if state.auction.phase == "privilege":
        high = sum((mask & COURT).bit_count() for mask in state.hands[state.seat : 20 : 5])
        return IMMUNITY if high >= 4 else WARRANTY
    return _lead(state, legal) if state.best < 0 else _follow(state, legal)


def _liking(state: SuitabilityState, role: int, suit: int) -> float:
    """How well a role fits the hand: long trumps, short penalties, low cards in reverse."""
    mask = state.hands[5 * suit + state.seat]
    ranks = [rank for rank in range(13) if mask >> rank & 1]
    if role == 0:
        return len(ranks) + sum(ranks) / 24
    return 4 - len(ranks) if role == 1 else sum(2 - rank / 3 for rank in ranks) / 2


def _lead(state: SuitabilityState, legal: Sequence[int]) -> int:
    powers, penalty = state.auction.powers, state.penalty
    return max(legal, key=lambda card: (FIVE_SUITS[card] != penalty, powers[FIVE_SUITS[card] // 5][card]))


def _follow(state: SuitabilityState, legal: Sequence[int]) -> int:
    """Win cheaply what holds no penalty card, or what must be won; else get rid of penalty cards and of strong ones."""
    power, penalty, to_beat = state.power, state.penalty, state.best & ~7
    winners = [card for card in legal if power[card] > to_beat]
    if winners and (len(winners) == len(legal) or not state.at_stake):
        return min(winners, key=lambda card: power[card])
    losers = [card for card in legal if power[card] <= to_beat]
    return max(losers, key=lambda card: (FIVE_SUITS[card] == penalty, power[card]))
