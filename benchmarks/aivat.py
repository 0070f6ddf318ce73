"""Luck taken out of a person's points a deal, beyond what the same boards played by others take out (AIVAT).

Burch, Schmid, Moravčík, Bowling: AIVAT, a new variance reduction technique for agent evaluation in imperfect
information games. AAAI 2018. Each term of the correction has expectation zero, whatever estimates it uses: from the
points that an outcome of chance is worth it takes the mean over outcomes that are drawn as this one was.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, pairwise
from random import Random
from statistics import fmean
from time import process_time
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.cli.bots import house_bots, seed_bytes
from arena.games.base import CHANCE, OVER, Game, State
from arena.games.chance import board_rng, bot_seed
from arena.games.registry import VARIANTS, rules_of
from arena.match.estimate import NORMAL
from arena.sdk import Search
from arena.services.live.seats import STRENGTHS
from benchmarks.bots import Everywhere
from benchmarks.calibration import SLOW
from benchmarks.results import Table, show_progress

DEALS: Final = 20
"""Number of deals for each round."""
SLIPS: Final = 0.2
"""Share of the decisions in which the person chooses any legal action."""
TURNS: Final = 6
"""Number of the person's turns in a board whose hidden cards are drawn again."""
WORLDS: Final = 16
"""Most worlds that are played on from each of them."""
TRIES: Final = 400
"""Number of worlds that are drawn to find them."""
FRESH: Final = 4
"""Number of fresh boards beside which the value of a board is zero on average."""
REPEATS: Final = 50
"""Number of playouts of an action."""
FOLDS: Final = 10
RESAMPLES: Final = 1000
Numbers = NDArray[np.float64]
Seats = Sequence[Any]
"""Bots by seat."""
Turns = Sequence[tuple[Any, int]]
"""View and action of each of the person's turns in a board."""
Step = tuple[State, Any]
"""State before a move or a board, and the action or the board."""
NOTES: Final = (
    "Standard deviation of a person's points in {deals} deals: raw, less the mean of quick house bots on the same "
    "boards, and with corrections whose coefficients are fitted on other deals: by the deal's value, by the points of "
    "each bot, and duplicates with AIVAT. The person plays like the best of these bots but slips in {slips:.0%} of the "
    "decisions. Ratio of AIVAT to duplicates alone and mean change of the points, with 95 % intervals; its CPU time."
)
HEAD: Final = ("variant", "against", "raw", "duplicates", "deal value", "weighted", "AIVAT", "ratio", "change", "CPU")


class Slipping(NamedTuple):
    """A bot that in a share of the decisions takes any legal action."""

    bot: Everywhere
    share: float
    rng: Random

    def choose(self, state: State) -> int:
        """Return the action of the seat to move."""
        slips = self.rng.random() < self.share
        return self.rng.choice(state.legal(state.seat)) if slips else self.bot.choose(state)


class Deal(NamedTuple):
    """A deal with the terms of its corrections."""

    points: float
    field: Sequence[float]
    """Points of each bot in the person's seat."""
    terms: Sequence[float]
    """Luck of the boards, and of what came later; each is zero on average."""
    cpu: float


def run(rounds: int, variants: Sequence[str] = tuple(VARIANTS)) -> list[Table]:
    """Play deals of each variant with tricks in turn, once if several have equal deals."""
    games = {
        str(rules_of(one).shortest().options): one
        for one in reversed(variants)
        if rules_of(one).shortest().deck != "ranks"
    }
    number, rows = DEALS * rounds, []
    for variant in reversed(games.values()):
        rules = rules_of(variant).shortest()
        bots = {name: Everywhere(name, rules) for name in house_bots(rules) if name not in SLOW}
        for strength in ("medium", "easy"):
            show_progress(f"{variant}, {strength}")
            found = [deal_of(bots, strength, deal) for deal in range(number)]
            rows.append((variant, strength, *cells(found)))
    show_progress("")
    return [Table("Luck taken out", NOTES.format(deals=number, slips=SLIPS), HEAD, rows)]


def deal_of(bots: Mapping[str, Everywhere], strength: str, number: int) -> Deal:
    """Let a person and every bot play a deal in the same seat, and return the luck."""
    rules, expert = bots["greedy"].game, bots.get("planner", bots["greedy"])
    own, seed, by_chance = number % rules.players, seed_bytes(f"{rules.id} {number}"), strength == "easy"
    others = [bots[name] for name in STRENGTHS[strength] if name in bots]

    def seats(person: Everywhere | Slipping) -> Seats:
        luck = [Random(bot_seed(seed, 0, seat)) for seat in range(rules.players)]
        table = [Slipping(bot, float(by_chance), rng) for bot, rng in zip(cycle(others), luck, strict=False)]
        return [*table[:own], person, *table[own + 1 :]]

    first = play(rules, seats(Slipping(expert, SLIPS, Random(number))), seed)
    field = [play(rules, seats(bot), seed)[-1][0].scores()[own] for bot in bots.values()]
    began = process_time()
    search = Search(rules, Random(number), [float(seat == own) for seat in range(rules.players)])
    later = [choices(search, first, own)] if by_chance else hidden(seats(expert), own, first, Random(number))
    return Deal(first[-1][0].scores()[own], field, [boards(search, first), *later], process_time() - began)


def play(rules: Game, seats: Seats, seed: bytes) -> list[Step]:
    """Play a match; the last step has the state at its end."""
    state, steps = rules.start(), list[Step]()
    while state.seat != OVER:
        if state.seat == CHANCE:
            board = rules.draw_board(state.boards, board_rng(seed, state.boards))
            steps.append((state.clone(), board))
            state.deal(board)
        else:
            action = seats[state.seat].choose(state)
            steps.append((state.clone(), action))
            state.apply(action)
    return [*steps, (state, None)]


def boards(search: Search, steps: Sequence[Step]) -> float:
    """Return the worth of the boards less that of fresh ones."""
    luck = 0.0
    for state, board in steps:
        if state.seat == CHANCE:
            fresh = [search.game.draw_board(state.boards, search.rng) for _ in range(FRESH)]
            luck += _worth(search, state, board) - fmean(_worth(search, state, other) for other in fresh)
    return luck


def _worth(search: Search, state: State, board: Any) -> float:
    state = state.clone()
    state.deal(board)
    return fmean(values(search, state)) if state.seat >= 0 else 0.0


def values(search: Search, state: State) -> list[float]:
    """Return the value of each action of the seat to move to the person."""
    tokens = [*map(search.game.token, state.legal(state.seat))]
    return [one.points for one in search.compare(state.seat, [state], tokens, REPEATS)]


def choices(search: Search, steps: Sequence[Step], own: int) -> float:
    """Return the luck of the others' choices, if each legal action was equally likely."""
    luck = 0.0
    for state, action in steps:
        if state.seat >= 0 and state.seat != own and len(state.legal(state.seat)) > 1:
            found = values(search, state)
            luck += found[state.legal(state.seat).index(action)] - fmean(found)
    return luck


def hidden(seats: Seats, own: int, steps: Sequence[Step], rng: Random) -> list[float]:
    """Return the luck of the hidden cards, by turn of the person, if the others are known and play without chance."""
    luck = [0.0] * TURNS
    for (state, _), (start, _) in pairwise(steps):
        if state.seat == CHANCE and start.seat >= 0:
            turns = [(one.view(own), action) for one, action in steps if one.boards == start.boards and one.seat == own]
            worlds = (start.sample(own, rng) for _ in range(TRIES))
            luck = [sum(each) for each in zip(luck, outcomes(seats, own, turns, start, worlds), strict=True)]
    return luck


def outcomes(seats: Seats, own: int, turns: Turns, start: State, worlds: Iterable[State]) -> list[float]:
    """Return by turn what a board brings from there, less the mean over worlds with equal views up to that turn."""
    others: list[list[int]] = [[] for _ in turns[:TURNS]]
    for world in worlds:
        for turn, state in _followed(seats, own, turns, world):
            if len(others[turn]) < WORLDS:
                others[turn].append(_points(seats, own, state))
    true = [_points(seats, own, state) for _, state in _followed(seats, own, turns, start)]
    found = [true[turn] - fmean(points) if points else 0.0 for turn, points in enumerate(others)]
    return [*found, *[0.0] * (TURNS - len(found))]


def _followed(seats: Seats, own: int, turns: Turns, world: State) -> Iterator[tuple[int, State]]:
    """Yield the turns that a world allows, and the state after each of them."""
    state = world.clone()
    for turn, (view, action) in enumerate(turns[:TURNS]):
        _advance(seats, state, own)
        if state.seat != own or state.view(own) != view:
            return
        state.apply(action)
        yield turn, state.clone()


def _points(seats: Seats, own: int, state: State) -> int:
    """Return the person's points if the seats play on to the end of the board."""
    _advance(seats, state)
    return state.scores()[own]


def _advance(seats: Seats, state: State, until: int = OVER) -> None:
    """Play on to a turn of a seat, or to the end of the board."""
    while state.seat >= 0 and state.seat != until:
        state.apply(seats[state.seat].choose(state))


def cells(deals: Sequence[Deal]) -> tuple[str, ...]:
    """Return the figures of a variant."""
    points, field = np.array([deal.points for deal in deals], float), np.array([deal.field for deal in deals])
    terms, above = np.array([deal.terms for deal in deals]), points - field.mean(axis=1)
    aivat = corrected(above, terms)
    shown = [points, above, corrected(points, terms[:, :1]), corrected(points, field - field.mean(axis=0)), aivat]
    draws = np.random.default_rng(0).integers(len(deals), size=(RESAMPLES, len(deals)))
    low, high = np.quantile(aivat[draws].std(axis=1) / above[draws].std(axis=1), (0.025, 0.975))
    change = aivat - above
    margin = NORMAL * change.std(ddof=1) / len(deals) ** 0.5
    return (
        *(f"{each.std(ddof=1):.2f}" for each in shown),
        f"{aivat.std() / above.std():.2f} ({low:.2f}–{high:.2f})",
        f"{change.mean():.2f} ± {margin:.2f}",
        f"{fmean(deal.cpu for deal in deals):.2f} s",
    )


def corrected(points: Numbers, terms: Numbers) -> Numbers:
    """Return points less the terms, with coefficients that least squares fit to the other deals."""
    found, folds = points.copy(), np.arange(len(points)) % FOLDS
    for fold in range(FOLDS):
        own, rest = folds == fold, folds != fold
        table = np.column_stack([np.ones(rest.sum()), terms[rest]])
        found[own] -= terms[own] @ np.linalg.lstsq(table, points[rest], rcond=None)[0][1:]
    return found
