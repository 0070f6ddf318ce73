"""Estimates of a seat's legal actions from its view alone, for a hint or an analysis.

All actions meet the same worlds, drawn as `Game.sample` draws them, and the same luck: a random game to the end of the
deal. So what an action is worth is uncertain, but much of that is common to all of them and says nothing about which is
better. The intervals leave that part out, as Cousineau: Confidence intervals in within-subject designs, Tutorials in
Quantitative Methods for Psychology 1, 2005, with the correction of Morey in the same journal, volume 4, 2008.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from statistics import NormalDist, fmean
from typing import Final, NamedTuple

from arena.games.base import Game, View
from arena.games.events import Json
from arena.sdk.search import Search

ROUNDS: Final = 16
"""Number of rounds, each of which estimates all actions in worlds of its own: the observations of the intervals."""
FEWEST: Final = 4
"""Number of rounds that are played however late it is."""
WORLDS: Final = 24
"""Number of worlds in a round, in positions that the kernel plays out."""
SLOW_WORLDS: Final = 3
"""The same where playouts begin in Python: in an auction, a pass, or when cards are put in order."""
REPEATS: Final = 8
"""Number of playouts of an action in each world."""
NORMAL: Final = NormalDist().inv_cdf(0.975)
"""Half-width of a 95 % interval in standard errors of a known size."""
EAGER: Final = {"suit_yourself": 8, "suits_barnhart": 50, "suits_steere": 50}
"""How much likelier playouts choose a card that wins the trick so far, by game, if most tricks are worth winning there:
so estimates are nearer to what house bots make of an action (docs/statistics.md)."""


class Estimate(NamedTuple):
    """The worth of a legal action."""

    token: str
    points: float
    """Mean points of the seat's side from here to the end of the deal."""
    margin: float
    """Half-width of their interval, without the luck that all actions share."""
    best: bool
    """Whether it has the most points; of equal actions, only the first."""


def estimates(
    game: Game, view: Mapping[str, Json], seed: int, late: Callable[[], bool] = lambda: False
) -> list[Estimate]:
    """Estimate every legal action of a view, in order. The same view and seed give the same estimates.

    Ends after `FEWEST` rounds if it is `late` by then: only on a machine that is too slow are they fewer than `ROUNDS`.
    """
    return summary(view["legal"], rounds_of(game, view, seed, late))


def rounds_of(
    game: Game, view: Mapping[str, Json], seed: int, late: Callable[[], bool] = lambda: False
) -> list[list[float]]:
    """Return the mean points by round and by action, as `estimates` counts them."""
    rounds: list[list[float]] = []
    for each in endless(game, view, seed):
        rounds.append(each)
        if len(rounds) >= ROUNDS or (len(rounds) >= FEWEST and late()):
            break
    return rounds


def endless(game: Game, view: Mapping[str, Json], seed: int) -> Iterator[list[float]]:
    """Yield the mean points by action of one round after another, without end."""
    legal, seat = view["legal"], view["seat"]
    own = next(team for team in game.teams if seat in team)
    weights = [float(each in own) for each in range(game.players)]
    search = Search(game, Random(seed), weights, eager=EAGER.get(game.id, 1))
    while True:
        yield _round(search, View(view), legal)


def _round(search: Search, view: View, legal: Sequence[str]) -> list[float]:
    """Return the mean points of each action in some worlds."""
    worlds = search.worlds(view, SLOW_WORLDS)
    if not isinstance(worlds, list):
        worlds = search.worlds(view, WORLDS)
    return [one.points for one in search.compare(view.seat, worlds, legal, REPEATS)]


def summary(legal: Sequence[str], rounds: Sequence[Sequence[float]]) -> list[Estimate]:
    """Return the estimates from the points by round and action."""
    points = [fmean(each) for each in zip(*rounds, strict=True)]
    spread = [[one - fmean(each) for one in each] for each in rounds]
    margins = [_margin(each, len(legal)) for each in zip(*spread, strict=True)]
    best = points.index(max(points))
    return [
        Estimate(token, mean, margin, index == best)
        for index, (token, mean, margin) in enumerate(zip(legal, points, margins, strict=True))
    ]


def _margin(values: Sequence[float], actions: int) -> float:
    """Return the half-width for the values of one of some actions, by round, each less the mean of its round."""
    mean = fmean(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return width(len(values)) * math.sqrt(variance / len(values) * actions / max(actions - 1, 1))


def width(rounds: int) -> float:
    """Return the half-width of a 95 % interval in standard errors that are estimated from some rounds.

    Student's distribution within 1 % from `FEWEST` rounds, by equation 26.7.5 of Abramowitz and Stegun: Handbook of
    Mathematical Functions, 1964.
    """
    z, x = NORMAL, 1 / (rounds - 1)
    terms = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + x * (terms[0] + x * (terms[1] + x * terms[2]))
