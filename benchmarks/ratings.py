"""The fold of ratings beside the bare package, and what else ratings are asked for."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

import trueskill

from arena.ratings import MU, SIGMA, Parameters, Rating, Result, fold, predict, quality
from benchmarks.duels import Ratio, Row, tell
from benchmarks.duels import Result as Measured
from benchmarks.sides.measuring import Sample, clock
from benchmarks.table import NOTHING, Table, digits

TABLES: Final = 500
BOTS: Final = 40
PLACES: Final = 4
GOAL: Final = 1 / 1500
"""Seconds that a table of four may take to be folded."""
PLAIN: Final = Parameters()

Way = Callable[[Sequence[Result]], object]


def ours(results: Sequence[Result]) -> object:
    """The fold."""
    return list(fold(results, PLAIN))


def bare(results: Sequence[Result]) -> list[tuple[trueskill.Rating]]:
    """The package, with as little around it as can be."""
    env = trueskill.TrueSkill(MU, SIGMA, PLAIN.beta, tau=0.0, draw_probability=PLAIN.draw_probability)
    ratings = [(env.create_rating(),)] * BOTS
    for result in results:
        for bot, rated in zip(
            result.versions, env.rate([ratings[bot] for bot in result.versions], result.ranks), strict=True
        ):
            ratings[bot] = rated
    return ratings


def predictions(results: Sequence[Result]) -> object:
    """The chances of a pair for each."""
    return [predict(Rating(), Rating(MU, SIGMA / 2), PLAIN) for _ in results]


def qualities(results: Sequence[Result]) -> object:
    """The match quality of a table for each."""
    return [quality([Rating()] * PLACES, PLAIN) for _ in results]


WAYS: Final[tuple[Way, ...]] = (ours, bare, predictions, qualities)


def run(rounds: int, tables: int = TABLES) -> list[Table]:
    """The tables of this subject."""
    folded, package, pairs, open_tables = measure(rounds, tables)
    row = Row("", (), Ratio(1.0, speed=True), "tables/s")
    result = Measured(row, [folded, package])
    goal = Measured(row, [folded, [Sample(GOAL, 1)] * len(folded)])
    rows = [
        ("a table of four folded", result.cell(0), result.cell(1), result.ratio(1), told(), goal.reached()[1]),
        ("a pair predicted", Measured(Row("", ()), [pairs]).cell(0), *[NOTHING] * 4),
        ("the quality of a table of four", Measured(Row("", ()), [open_tables]).cell(0), *[NOTHING] * 4),
    ]
    notes = f"Medians of {rounds} rounds of {tables} tables of CPU time each, by {BOTS} bots; sides take turns."
    return [Table("Ratings", notes, ("", "Suit Arena", "trueskill alone", "ratio", "target", "reached"), rows)]


def told() -> str:
    """The target of the fold."""
    return f"≥ {digits(1 / GOAL)} tables/s"


def measure(rounds: int, tables: int) -> list[list[Sample]]:
    """By way its samples, one a round. A first round, which is not kept, warms up."""
    results = drawn(Random(1), tables)
    samples: list[list[Sample]] = [[] for _ in WAYS]
    for number in range(rounds + 1):
        tell(f"round {number} of {rounds}")
        for way, kept in zip(WAYS, samples, strict=True):
            start = clock()
            way(results)
            kept += [Sample((clock() - start) / tables, tables)] * bool(number)
    tell("")
    return samples


def drawn(rng: Random, tables: int) -> list[Result]:
    """Tables of bots whose order is their strength, with upsets and ties."""
    return [_table(rng, number) for number in range(tables)]


def _table(rng: Random, number: int) -> Result:
    bots = rng.sample(range(BOTS), PLACES)
    points = [round(bot / 4 + rng.gauss(0, 5)) for bot in bots]
    return Result(number, tuple(bots), tuple(1 + sum(other > own for other in points) for own in points), PLACES)
