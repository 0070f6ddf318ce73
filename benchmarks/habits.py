"""Habits of the seats of Suitability in playouts, learned from what search with equal chances chose.

A seat chooses each legal card with a probability in proportion to the weight of its kind: by the seat's claim, whether
the card leads, wins or loses the trick so far, the role of its suit, and its rank. Each step finds weights of a higher
likelihood (Hunter: MM algorithms for generalized Bradley-Terry models. Annals of Statistics 32, 2004).
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

from arena.games.base import CHANCE, OVER, State
from arena.games.cards import INDEX
from arena.games.playouts import Position
from arena.games.registry import rules_of
from arena.sdk import Search, View
from arena.sdk.kernel.checks import ROWS
from benchmarks.results import Table, show_progress
from bots.search_bot import DIGITS, HABITS, JOKER, kind_of

MATCHES: Final = {
    "suitability-4": 8,
    "suitability-3": 3,
    "suitability-2": 6,
    "suitability-5": 2,
    "suitability-4-partners": 3,
}
"""Number of matches for each round, by variant."""
KINDS: Final = JOKER + 1
"""Number of kinds of cards."""
CLAIMS: Final = (*HABITS,)
"""Privileges by which seats have habits; None, the last one, for all other seats."""
WORLDS: Final = {True: 100, False: 10}
"""Number of worlds of a comparison, in play (True) and before it."""
PLAYOUTS: Final = 50
HELD_OUT: Final = 10
"""One of this number of decisions is not learned from, but tells how well the others are explained."""
STEPS: Final = 60
PRIOR: Final = 2
"""Number of wins and of losses that each kind has against a kind of weight 1, unseen: some kinds are rare."""
NOTES: Final = (
    "Digits of `HABITS` in bots/search_bot.py. Mean logarithm of the probability of a choice, in decisions that were "
    "not learned from: {learned:.3f} by these habits, {equal:.3f} by equal chances; {decisions} decisions of search."
)


class Decision(NamedTuple):
    """A choice of a card."""

    kinds: tuple[int, ...]
    """Number of the kind of each legal card."""
    chosen: int
    """Place of the chosen card."""


def run(rounds: int) -> list[Table]:
    """Learn habits from this number of rounds of matches."""
    matches = [(variant, match) for variant, number in MATCHES.items() for match in range(number * rounds)]
    decisions = [one for variant, match in matches for one in decisions_of(variant, match)]
    show_progress("")
    return [_table(decisions)]


def decisions_of(variant: str, number: int) -> Iterator[Decision]:
    """Yield the choices of cards in a match that search plays in all seats. The same number gives the same match."""
    show_progress(f"{variant}: match {number}")
    rules, rng = rules_of(variant), Random(f"collect{variant}{number}")
    searches = [Search(rules, Random(f"{variant}{number}{seat}")) for seat in range(rules.players)]
    state = rules.start()
    while state.seat != OVER:
        if state.seat == CHANCE:
            state.deal(rules.draw_board(state.boards, rng))
            continue
        legal = [*map(rules.token, state.legal(state.seat))]
        action = legal[0] if len(legal) == 1 else _searched(searches[state.seat], state)
        if len(legal) > 1 and (play := state.trick_play()):
            view = state.view(state.seat)
            yield Decision(tuple(kind(view, play.position, card) for card in legal), legal.index(action))
        state.apply(rules.action(action))


def _searched(search: Search, state: State) -> str:
    """Return the action that is left when the worse half is dropped again and again."""
    view = View(state.view(state.seat))
    actions = view.legal
    while len(actions) > 1:
        worlds = search.worlds(view, WORLDS[view.phase == "play"])
        estimates = search.compare(view.seat, worlds, actions, max(1, PLAYOUTS // len(actions)))
        estimates.sort(key=lambda estimate: estimate.points, reverse=True)
        actions = [estimate.action for estimate in estimates[: -(-len(actions) // 2)]]
    return actions[0]


def kind(view: Mapping[str, Any], position: Position, card: str) -> int:
    """Return the number of the kind of a card: digits of a claim's rows one after another, claim by claim."""
    claim = view["claims"][view["seat"]]
    group = CLAIMS.index(claim if claim in CLAIMS else None)
    return (group * ROWS + _row(position, INDEX[card])) * KINDS + kind_of(view["roles"], card)


def _row(position: Position, card: int) -> int:
    """Return 0 for a card that would lose the trick so far, 1 for one that would win it, and 2 for a lead."""
    tables, trick, node = position.tables, position.trick, 0
    for each in trick:
        node = tables.after[node][tables.suits[each]]
    power = tables.power[tables.after[node][tables.suits[card]]]
    return int(all(power[card] > power[each] for each in trick)) if trick else 2


def _table(decisions: Sequence[Decision]) -> Table:
    """Return the digits, by claim and row."""
    test = decisions[::HELD_OUT]
    rest = [one for number, one in enumerate(decisions) if number % HELD_OUT]
    size = ROWS * KINDS
    likely = likelihood(learned(rest, len(CLAIMS) * size), test)
    equal = likelihood([1.0] * len(CLAIMS) * size, test)
    digits = digits_of(learned(decisions, len(CLAIMS) * size))
    rows = [
        (str(claim), digits[size * place + KINDS * row :][:KINDS])
        for place, claim in enumerate(CLAIMS)
        for row in range(ROWS)
    ]
    notes = NOTES.format(learned=likely, equal=equal, decisions=len(decisions))
    return Table("Habits in Suitability", notes, ("claim", "loses, wins, leads"), rows)


def learned(decisions: Sequence[Decision], number: int) -> list[float]:
    """Return the weight of each kind."""
    chosen = Counter(one.kinds[one.chosen] for one in decisions)
    weights = [1.0] * number
    for _ in range(STEPS):
        offered = [2 * PRIOR / (1 + weight) for weight in weights]
        for one in decisions:
            share = 1 / sum(map(weights.__getitem__, one.kinds))
            for kind in one.kinds:
                offered[kind] += share
        weights = [(chosen[kind] + PRIOR) / each for kind, each in enumerate(offered)]
    return weights


def likelihood(weights: Sequence[float], decisions: Sequence[Decision]) -> float:
    """Return the mean logarithm of the probability of the choices."""
    return fmean(
        math.log(weights[one.kinds[one.chosen]] / sum(map(weights.__getitem__, one.kinds))) for one in decisions
    )


def digits_of(weights: Sequence[float]) -> str:
    """Return digits to the base 32: half of each is the power of two nearest to a weight, scaled to the range."""
    halves = [round(2 * math.log2(weight)) for weight in weights]
    return "".join(DIGITS[max(0, half - max(halves) + len(DIGITS) - 1)] for half in halves)
