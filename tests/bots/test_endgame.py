"""Search solves the last tricks of the solitaire."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from random import Random
from statistics import fmean

import pytest

from arena.games.base import CHANCE, OVER
from arena.games.cards import INDEX
from arena.games.chance import board_rng
from arena.games.registry import rules_of
from arena.games.suits_barnhart import SuitsBarnhartState, SuitsBarnhartView, solitaire_result
from arena.games.suits_barnhart.rules import POWER
from bots.search_bot import RESULTS, SOLVED, Endgame

RULES = rules_of("suits-barnhart-solitaire")


def endgames(seed: int) -> Iterator[SuitsBarnhartState]:
    """Yield the positions before the solved tricks of a match that is played at random."""
    rng, state = Random(seed), RULES.start()
    assert isinstance(state, SuitsBarnhartState)
    while state.seat != OVER:
        if state.seat == CHANCE:
            state.deal(RULES.draw_board(state.boards, board_rng(bytes([seed] * 32), state.boards)))
        if state.phase == "play" and len(state.tricks) == 13 - SOLVED:
            yield state.clone()
        state.apply(rng.choice(state.legal(0)))


def orders(state: SuitsBarnhartState) -> list[SuitsBarnhartState]:
    """Return the position with all orders of the dummies' piles."""
    sizes = state.piles()
    tails = [permutations(line[len(line) - size :]) for line, size in zip(state.lines[1:], sizes[1:], strict=True)]
    found = []
    for piles in product(*tails):
        copy = state.clone()
        heads = [line[: len(line) - size] for line, size in zip(state.lines[1:], sizes[1:], strict=True)]
        copy.lay([state.lines[0], *(head + bytes(pile) for head, pile in zip(heads, piles, strict=True))])
        found.append(copy)
    return found


def after(states: Sequence[SuitsBarnhartState], action: int) -> float:
    """Return the expected result of an action in equally likely states, which South cannot tell apart."""
    known: dict[str, list[SuitsBarnhartState]] = {}
    for state in states:
        copy = state.clone()
        copy.apply(action)
        known.setdefault(repr(copy.view(0)), []).append(copy)
    return sum(len(some) * value(some) for some in known.values()) / len(states)


def value(states: Sequence[SuitsBarnhartState]) -> float:
    """Return the expected result with the best play, in states that South cannot tell apart."""
    if states[0].seat >= 0:
        return max(after(states, action) for action in states[0].legal(0))
    return fmean(result(state) for state in states)


def result(state: SuitsBarnhartState) -> float:
    """Return the lead over the best dummy after a hand, and the worth of the result after a match."""
    lead = state.totals[0] - max(state.totals[1:])
    return lead + RESULTS[solitaire_result(state.totals)] * (state.seat == OVER)


@pytest.mark.parametrize("seed", range(4))
def test_endgame_is_solved_exactly(seed: int) -> None:
    """The expected result of each card is that of all orders of the hidden cards, played by the rules."""
    for state in endgames(seed):
        solved = Endgame(SuitsBarnhartView(state.view(0)))
        worth = {card: after(orders(state), card) for card in state.legal(0)}

        for card, expected in worth.items():
            assert solved.play(POWER[card], solved.seen, *solved.start) == pytest.approx(expected)
        best = INDEX[solved.best([RULES.token(card) for card in worth])]
        assert worth[best] == pytest.approx(max(worth.values()))
