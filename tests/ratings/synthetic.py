"""Simulated results of bots with known skills, under TrueSkill's model of tables."""

from itertools import pairwise
from random import Random
from statistics import NormalDist

from arena.ratings import MU, SIGMA, Parameters, Result


def results(rng: Random, parameters: Parameters, tables: int, places: int, bots: int = 12) -> list[Result]:
    """Simulate tables of randomly drawn bots. Neighbours whose performances differ by less than the draw margin tie."""
    strengths = skills(rng, bots)
    margin = NormalDist().inv_cdf((parameters.draw_probability + 1) / 2) * 2**0.5 * parameters.beta
    return [_table(rng, number, strengths, places, parameters.beta, margin) for number in range(tables)]


def skills(rng: Random, bots: int) -> list[float]:
    """Draw skills from the prior of a new bot."""
    return [rng.gauss(MU, SIGMA) for _ in range(bots)]


def _table(rng: Random, number: int, strengths: list[float], places: int, beta: float, margin: float) -> Result:
    performances = {bot: rng.gauss(strengths[bot], beta) for bot in rng.sample(range(len(strengths)), places)}
    order = sorted(performances, key=lambda bot: -performances[bot])
    ranks = {order[0]: 1}
    for rank, (better, bot) in enumerate(pairwise(order), 2):
        ranks[bot] = ranks[better] if performances[better] - performances[bot] < margin else rank
    return Result(number, tuple(performances), tuple(ranks[bot] for bot in performances), places)
