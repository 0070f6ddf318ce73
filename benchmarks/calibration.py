"""Calibration of analyses: losses by random playouts beside those where house bots play on."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from statistics import fmean, linear_regression, variance
from typing import Any, Final, NamedTuple

from arena.cli.bots import house_bots
from arena.games.base import Game
from arena.games.registry import VARIANTS, rules_of
from arena.match.analysis import MARKS, Assessment, best_of, lost, mark, phase_of
from arena.match.estimate import NORMAL, rounds_of, summary
from arena.match.views import positions
from benchmarks.bots import Everywhere, play
from benchmarks.results import NOTHING, Table, show_progress

EXPERTS: Final = {"suitability": "planner", "separate_suits": "regret"}
"""House bot that plays on, by game; greedy in the others. Search would take a thousand times as long."""
SLOW: Final = ("search", "regret")
"""House bots that sit at no table."""
POSITIONS: Final = 4
"""Number of decisions in each phase for each round."""
WORLDS: Final = 40
"""Number of worlds in each of which the best and the chosen action are played out."""
NOTES: Final = (
    "Points that decisions lost by an analysis, and if house bots play on in {worlds} worlds, with a 95 % interval; "
    "slope of the second over the first; error of a single loss (root mean square, without chance in the worlds), and "
    "the part of it that is chance in the games of the analysis; share of the 95 % intervals that reach what is played "
    "out; points by which the estimate of the chosen action is too high. {positions} decisions of house bots in each "
    "phase."
)
PHASES: Final = ("variant", "phase", "lost", "played out", "slope", "error", "by chance", "coverage", "too high")
BY_MARK: Final = ("variant", "mark", "decisions", "lost", "played out", "share that lost")


class Case(NamedTuple):
    """A decision as it was assessed and as it was played out."""

    assessed: Assessment
    played: float
    """Points by which the best action was better than the chosen one."""
    error: float
    """Standard error of `played`."""
    too_high: float
    """Points by which the estimate of the chosen action is above what it brought."""

    @property
    def off(self) -> float:
        """Points by which the assessed loss is too high."""
        return self.assessed.lost - self.played


def run(rounds: int, variants: Sequence[str] = tuple(VARIANTS), expert: str | None = None) -> list[Table]:
    """Compare this number of rounds of decisions in each phase of each variant."""
    found = {variant: list(_cases(variant, POSITIONS * rounds, expert)) for variant in variants}
    show_progress("")
    notes = NOTES.format(worlds=WORLDS, positions=POSITIONS * rounds)
    phases = [row for variant, cases in found.items() for row in by_phase(variant, cases)]
    marks = [row for variant, cases in found.items() for row in by_mark(variant, cases)]
    return [
        Table("Calibration of losses", notes, PHASES, phases),
        Table("Calibration of marks", "The same decisions by mark.", BY_MARK, marks),
    ]


def _cases(variant: str, number: int, expert: str | None) -> Iterator[Case]:
    """Yield decisions in each phase, from one match after another."""
    rules, rng = rules_of(variant), Random(variant)
    players = Everywhere(expert or EXPERTS.get(rules.id, "greedy"), rules)
    for done, decisions in enumerate(islice(_matches(rules, rng), number)):
        show_progress(f"{variant}: {done} of {number} matches")
        for phase, (view, chosen) in decisions.items():
            yield _case(players, phase, view, chosen, rng)


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


def _case(players: Everywhere, phase: str, view: Mapping[str, Any], chosen: str, rng: Random) -> Case:
    """Assess a decision, and compare it with the same best actions when the players play on."""
    legal = view["legal"]
    rounds = rounds_of(players.game, view, rng.getrandbits(64))
    best = [legal[best_of(rounds[half::2])] for half in (0, 1)]
    assessed = lost(rounds, legal.index(chosen))
    points = [_played(players, view, [*best, chosen], rng) for _ in range(WORLDS)]
    played = [fmean(others) - own for *others, own in points]
    estimates = summary(legal, rounds)
    too_high = estimates[legal.index(chosen)].points - fmean(own for *_, own in points)
    one = Assessment(0, view["seat"], 0, phase, chosen, estimates, *assessed)
    return Case(one, fmean(played), math.sqrt(variance(played) / WORLDS), too_high)


def _played(players: Everywhere, view: Mapping[str, Any], tokens: Sequence[str], rng: Random) -> list[int]:
    """Return the points of actions that are played out in a random world."""
    rules, seat = players.game, view["seat"]
    own = next(team for team in rules.teams if seat in team)
    state = rules.sample(view, rng)
    while state.seat != seat:  # seats that choose at the same time
        state.apply(players.choose(state))
    points = {token: players.play_out(state, rules.action(token)) for token in sorted(set(tokens))}
    return [sum(points[token][each] for each in own) for token in tokens]


def by_phase(variant: str, cases: Iterable[Case]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each phase."""
    phases = dict[str, list[Case]]()
    for one in cases:
        phases.setdefault(one.assessed.phase, []).append(one)
    for phase, some in phases.items():
        yield variant, phase, *_means(some), *_errors(some)


def by_mark(variant: str, cases: Sequence[Case]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each mark."""
    for name in MARKS:
        some = [one for one in cases if mark(one.assessed, variant) == name]
        if len(some) > 1:
            worse = fmean(one.played > 0 for one in some)
            yield variant, name, str(len(some)), *_means(some), f"{worse:.0%}"


def _means(cases: Sequence[Case]) -> tuple[str, str]:
    played = [one.played for one in cases]
    half = NORMAL * math.sqrt(variance(played) / len(played))
    return f"{fmean(one.assessed.lost for one in cases):.2f}", f"{fmean(played):.2f} ± {half:.2f}"


def _errors(cases: Sequence[Case]) -> tuple[str, ...]:
    estimated = [one.assessed.lost for one in cases]
    slope = linear_regression(estimated, [one.played for one in cases]).slope if variance(estimated) > 0 else None
    error = math.sqrt(max(0.0, fmean(one.off**2 - one.error**2 for one in cases)))
    chance = math.sqrt(fmean((one.assessed.margin / NORMAL) ** 2 for one in cases))
    covered = fmean(abs(one.off) <= math.hypot(one.assessed.margin, NORMAL * one.error) for one in cases)
    high = fmean(one.too_high for one in cases)
    return (
        NOTHING if slope is None else f"{slope:.2f}",
        f"{error:.2f}",
        f"{chance:.2f}",
        f"{covered:.0%}",
        f"{high:.2f}",
    )
