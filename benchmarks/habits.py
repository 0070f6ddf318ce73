"""Habits of the seats of Suitability in playouts, learned from what search with equal chances chose.

A seat chooses card c of its legal cards with a probability in proportion to exp(θ), with one number θ for each kind of
card: by the seat's claim, whether the card leads, wins or loses the trick so far, the role of its suit, and its rank.
The θ with the highest likelihood are found by Adam (Kingma and Ba, ICLR 2015).
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
"""Number of worlds of a comparison, in play and before it: half of those that search plays with."""
PLAYOUTS: Final = 50
HELD_OUT: Final = 10
"""One of this number of decisions is not learned from, but tells how well the others are explained."""
STEPS: Final = 1500
RATE: Final = 0.05
DECAY: Final = 5e-5
"""Pull of each θ towards 0, for kinds of cards that are rare."""
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
    number = len(CLAIMS) * ROWS * KINDS
    fit = Fit(decisions, number)
    test = np.arange(len(decisions)) % HELD_OUT == 0
    learned = fit.likelihood(fit.learned(~test), test)
    notes = NOTES.format(learned=learned, equal=fit.likelihood(np.zeros(number + 1), test), decisions=len(decisions))
    digits = map(digits_of, fit.learned(~test | test)[:-1].reshape(-1, ROWS * KINDS))
    rows = [
        (str(claim), each[row * KINDS :][:KINDS])
        for claim, each in zip(CLAIMS, digits, strict=True)
        for row in range(ROWS)
    ]
    return Table("Habits in Suitability", notes, ("claim", "loses, wins, leads"), rows)


def digits_of(row: NDArray[Any]) -> str:
    """Return digits to the base 32: half of each is a power of two that is nearest to exp(θ), the greatest first."""
    halves = np.clip(np.round(2 * (row - row.max()) / np.log(2)) + len(DIGITS) - 1, 0, len(DIGITS) - 1)
    return "".join(DIGITS[int(half)] for half in halves)


class Fit:
    """A multinomial logit over decisions with different numbers of cards."""

    def __init__(self, decisions: Sequence[Decision], number: int) -> None:
        most = max(len(one.kinds) for one in decisions)
        self.number = number
        self.kinds = np.array([one.kinds + (number,) * (most - len(one.kinds)) for one in decisions])
        """Kinds by decision and card; `number` where there is no card."""
        self.chosen = np.array([one.chosen for one in decisions])

    def chances(self, theta: NDArray[Any], which: NDArray[Any]) -> NDArray[Any]:
        """Return the probability of each card in some decisions."""
        kinds = self.kinds[which]
        scores = np.where(kinds == self.number, -np.inf, theta[kinds])
        chances = np.exp(scores - scores.max(1, keepdims=True))
        return np.asarray(chances / chances.sum(1, keepdims=True))

    def likelihood(self, theta: NDArray[Any], which: NDArray[Any]) -> float:
        """Return the mean logarithm of the probability of the choices in some decisions."""
        chosen = self.chosen[which]
        return float(np.log(self.chances(theta, which)[np.arange(len(chosen)), chosen]).mean())

    def learned(self, which: NDArray[Any]) -> NDArray[Any]:
        """Return θ by kind, and a 0 at the end."""
        theta, mean, square = np.zeros((3, self.number + 1))
        for step in range(1, STEPS + 1):
            slope = self._slope(theta, which)
            mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
            theta -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-9)
        return theta

    def _slope(self, theta: NDArray[Any], which: NDArray[Any]) -> NDArray[Any]:
        off, chosen = self.chances(theta, which), self.chosen[which]
        off[np.arange(len(chosen)), chosen] -= 1
        slope = np.bincount(self.kinds[which].ravel(), off.ravel(), minlength=self.number + 1) / len(chosen)
        slope[-1] = 0
        return np.asarray(slope + DECAY * theta)
