"""Speed of the ratings fold beside the bare `trueskill` package."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

import trueskill

from arena.ratings import MU, SIGMA, Parameters, Result, fold
from benchmarks.results import Ratio, Row, Table, digits, each_round
from benchmarks.results import Result as Measured
from benchmarks.sides.harness import Sample, clock

TABLES: Final = 500
BOTS: Final = 40
PLACES: Final = 4
GOAL: Final = 1 / 1500
"""Target time, in seconds, for folding a table of four."""
PLAIN: Final = Parameters()


def ours(results: Sequence[Result]) -> object:
    """Fold the results with the arena."""
    return list(fold(results, PLAIN))


def bare(results: Sequence[Result]) -> list[tuple[trueskill.Rating]]:
    """Rate the results with the package and return the ratings by bot."""
    env = trueskill.TrueSkill(MU, SIGMA, PLAIN.beta, tau=0.0, draw_probability=PLAIN.draw_probability)
    ratings = [(env.create_rating(),)] * BOTS
    for result in results:
        for bot, rated in zip(
            result.versions, env.rate([ratings[bot] for bot in result.versions], result.ranks), strict=True
        ):
            ratings[bot] = rated
    return ratings


SIDES: Final[tuple[Callable[[Sequence[Result]], object], ...]] = (ours, bare)


def run(rounds: int, tables: int = TABLES) -> list[Table]:
    """Measure both sides and return one table."""
    folded, package = measure(rounds, tables)
    row = Row("", (), Ratio(1.0, speed=True), "tables/s")
    result = Measured(row, [folded, package])
    goal = Measured(row, [folded, [Sample(GOAL, 1)] * len(folded)])
    cells = ("a table of four folded", result.cell(0), result.cell(1), result.ratio(1), target(), goal.reached()[1])
    notes = f"Medians of {rounds} rounds of {tables} tables of CPU time each, by {BOTS} bots; sides alternate."
    return [Table("Ratings", notes, ("", "Suit Arena", "trueskill alone", "ratio", "target", "reached"), [cells])]


def target() -> str:
    """Return the target as the table shows it."""
    return f"≥ {digits(1 / GOAL)} tables/s"


def measure(rounds: int, tables: int) -> list[list[Sample]]:
    """Return one sample per round for each side, after a warm-up round that is discarded."""
    results = random_results(Random(1), tables)
    samples: list[list[Sample]] = [[] for _ in SIDES]
    for number in each_round(rounds, warm_up=True):
        for side, kept in zip(SIDES, samples, strict=True):
            start = clock()
            side(results)
            kept += [Sample((clock() - start) / tables, tables)] * bool(number)
    return samples


def random_results(rng: Random, tables: int) -> list[Result]:
    """Return tables whose ranks mostly follow the bots' numbers, with upsets and ties."""
    return [_table(rng, number) for number in range(tables)]


def _table(rng: Random, number: int) -> Result:
    bots = rng.sample(range(BOTS), PLACES)
    points = [round(bot / 4 + rng.gauss(0, 5)) for bot in bots]
    return Result(number, tuple(bots), tuple(1 + sum(other > own for other in points) for own in points), PLACES)
