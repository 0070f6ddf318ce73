"""Calibration of analyses: losses by random playouts beside those where house bots play on."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from statistics import fmean, linear_regression, variance
from typing import Any, Final, NamedTuple

from arena.cli.bots import house_bots
from arena.games.base import Game
from arena.games.registry import VARIANTS, rules_of
from arena.match.analysis import best_of, lost, phase_of
from arena.match.estimate import NORMAL, rounds_of
from arena.match.views import positions
from benchmarks.bots import Everywhere, play
from benchmarks.results import NOTHING, Table, show_progress

EXPERTS: Final = {"suitability": "planner"}
"""House bot that plays on, by game; greedy in the others. Search would take a thousand times as long."""
SLOW: Final = ("search", "regret")
"""House bots that sit at no table."""
POSITIONS: Final = 10
"""Number of positions in each phase for each round."""
WORLDS: Final = 40
"""Number of worlds in each of which the best and the chosen action are played out."""
NOTES: Final = (
    "Points that decisions lost by an analysis, beside the points when {worlds} worlds are played out by house bots, "
    "with their 95 % interval; slope of the second over the first; error of a single loss (root mean square, without "
    "chance in the worlds), and the part of it that the analysis knows, chance in its games; share of the 95 % "
    "intervals that reach the points. {positions} decisions of house bots in each phase."
)
HEAD: Final = ("variant", "phase", "lost", "played out", "slope", "error", "by chance", "coverage")


class Loss(NamedTuple):
    """Points lost by a decision, estimated and played out."""

    lost: float
    margin: float
    truth: float
    error: float
    """Standard error of the truth."""


def run(rounds: int, variants: Sequence[str] = tuple(VARIANTS), expert: str | None = None) -> list[Table]:
    """Compare this number of rounds of decisions in each phase of each variant."""
    rows = [row for variant in variants for row in _rows(variant, POSITIONS * rounds, expert)]
    show_progress("")
    notes = NOTES.format(worlds=WORLDS, positions=POSITIONS * rounds)
    return [Table("Calibration of losses", notes, HEAD, rows)]


def _rows(variant: str, number: int, expert: str | None) -> Iterator[tuple[str, ...]]:
    """Yield a row for each phase."""
    rules, rng, found = rules_of(variant), Random(variant), dict[str, list[Loss]]()
    players = Everywhere(expert or EXPERTS.get(rules.id, "greedy"), rules)
    for done, decisions in enumerate(islice(_matches(rules, rng), number)):
        show_progress(f"{variant}: {done} of {number} matches")
        for phase, (view, chosen) in decisions.items():
            found.setdefault(phase, []).append(_loss(players, view, chosen, rng))
    for phase, losses in found.items():
        yield variant, phase, *cells(losses)


def _matches(rules: Game, rng: Random) -> Iterator[Mapping[str, tuple[Any, str]]]:
    """Yield a decision of each phase, as view and action, of one match after another."""
    bots = [Everywhere(name, rules) for name in house_bots(rules) if name not in SLOW]
    while True:
        phases = dict[str, list[tuple[Any, str]]]()
        for _, seat, action, state in positions(play(rules, [rng.choice(bots) for _ in range(rules.players)], rng)):
            if len(state.legal(seat)) > 1:
                view = state.view(seat)
                phases.setdefault(phase_of(rules, view), []).append((view, action))
        yield {phase: rng.choice(decisions) for phase, decisions in phases.items()}


def _loss(players: Everywhere, view: Mapping[str, Any], chosen: str, rng: Random) -> Loss:
    """Return what a decision lost by an analysis, and against the same best actions when the players play on."""
    rules, legal = players.game, view["legal"]
    rounds = rounds_of(rules, view, rng.getrandbits(64))
    best = [legal[best_of(rounds[half::2])] for half in (0, 1)]
    truth = [_played(players, view, [*best, chosen], rng) for _ in range(WORLDS)]
    return Loss(*lost(rounds, legal.index(chosen)), fmean(truth), math.sqrt(variance(truth) / WORLDS))


def _played(players: Everywhere, view: Mapping[str, Any], tokens: Sequence[str], rng: Random) -> float:
    """Return by how much the mean of the first actions is better than the last one, played out in a random world."""
    rules, seat = players.game, view["seat"]
    own = next(team for team in rules.teams if seat in team)
    state = rules.sample(view, rng)
    while state.seat != seat:  # seats that choose at the same time
        state.apply(players.choose(state))
    points = {token: players.play_out(state, rules.action(token)) for token in set(tokens)}
    *best, chosen = (sum(points[token][each] for each in own) for token in tokens)
    return fmean(best) - chosen


def cells(losses: Sequence[Loss]) -> Iterator[str]:
    """Yield what losses of a phase show."""
    estimated, played = [one.lost for one in losses], [one.truth for one in losses]
    yield f"{fmean(estimated):.2f}"
    yield f"{fmean(played):.2f} ± {NORMAL * math.sqrt(variance(played) / len(played)):.2f}"
    yield f"{linear_regression(estimated, played).slope:.2f}" if variance(estimated) > 0 else NOTHING
    yield f"{math.sqrt(max(0.0, fmean((one.lost - one.truth) ** 2 - one.error**2 for one in losses))):.2f}"
    yield f"{math.sqrt(fmean((one.margin / NORMAL) ** 2 for one in losses)):.2f}"
    reached = [abs(one.lost - one.truth) <= math.hypot(one.margin, NORMAL * one.error) for one in losses]
    yield f"{fmean(reached):.0%}"
