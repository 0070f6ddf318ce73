"""Strength in game points: points per match that a bot scores above the average bot in its place.

A bot's *lead* over another is the difference of their scores, summed over the matches in which both sat. Strengths are
the least squares fit to the leads of all pairs. So a bot's strength is its mean lead plus the mean strength of its
opponents, weighted by matches, and meeting weak bots is no advantage. This is the method of Massey (1997, Statistical
models applied to the rating of sports teams).

Leads are integers and bots are taken in ascending order, so equal results give identical bits.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import fsum, sqrt
from operator import mul
from typing import Final, NamedTuple

from arena.tournament import student
from arena.tournament.intervals import FEWEST, Sums

EXACT: Final = 200
"""Largest group with exact intervals. In larger ones the strengths of opponents count as known, because inverting the
matrix takes cubic time."""
PRECISION: Final = 1e-24
"""Fraction of the first squared residual at which the fit ends."""
STEPS: Final = 4
"""Most steps of the fit per bot. Without rounding errors one would be enough."""


class Lead(NamedTuple):
    """Lead of one bot over another."""

    points: int
    """Difference of their scores over all matches in which both sat."""
    matches: int
    """Number of matches in which both sat."""


class Strength(NamedTuple):
    """Strength of a bot, in game points per match."""

    value: float
    """Strength relative to the average seat of the bots that tables connect with it."""
    reach: float | None
    """Half the width of the 95 % interval; None below two tables, or if all its tables are identical."""


Leads = dict[int, dict[int, Lead]]
"""Leads by bot and opponent, both ascending."""


def strengths(leads: Mapping[tuple[int, int], Lead], totals: Mapping[int, Sums]) -> dict[int, Strength]:
    """Fit the strengths of all bots with at least one opponent.

    `leads` holds the lead of a over b by pair (a, b), a < b. `totals` holds for each bot sums over tables of its lead
    over all others (h) and of the number of matches times opponents (n).
    """
    found: dict[int, Strength] = {}
    for group in _groups(_both_ways(leads)):
        factors = _factors(group)
        found |= {bot: Strength(value, _reach(totals[bot], factors[bot])) for bot, value in _fit(group).items()}
    return found


def _both_ways(leads: Mapping[tuple[int, int], Lead]) -> Leads:
    both: Leads = {}
    for a, b in sorted(leads):
        points, matches = leads[a, b]
        both.setdefault(a, {})[b] = Lead(points, matches)
        both.setdefault(b, {})[a] = Lead(-points, matches)
    return {bot: dict(sorted(both[bot].items())) for bot in sorted(both)}


def _groups(leads: Leads) -> Iterator[Leads]:
    """Yield groups of bots that tables connect. Strengths cannot be compared between groups."""
    rest = set(leads)
    for first in leads:
        if first in rest:
            rest.discard(first)
            reached = [first]
            for bot in reached:
                new = [other for other in leads[bot] if other in rest]
                rest.difference_update(new)
                reached += new
            yield {bot: leads[bot] for bot in sorted(reached)}


def _fit(leads: Leads) -> dict[int, float]:
    """Solve the normal equations by conjugate gradients, scaled by each bot's matches.

    The mean strength, weighted by matches, starts at 0 and stays 0.
    """
    scale = [sum(lead.matches for lead in row.values()) for row in leads.values()]
    places = {bot: place for place, bot in enumerate(leads)}
    rows = [([places[bot] for bot in row], [lead.matches for lead in row.values()]) for row in leads.values()]
    residual = [float(sum(lead.points for lead in row.values())) for row in leads.values()]
    fitted = [0.0] * len(leads)
    step = scaled = _divided(residual, scale)
    before = first = _dot(residual, scaled)
    for _ in range(STEPS * len(leads)):
        if before <= first * PRECISION:
            break
        pushed = [
            own * weight - sum(map(mul, weights, map(step.__getitem__, others)))
            for own, weight, (others, weights) in zip(step, scale, rows, strict=True)
        ]
        length = before / _dot(step, pushed)
        fitted = [value + length * change for value, change in zip(fitted, step, strict=True)]
        residual = [value - length * change for value, change in zip(residual, pushed, strict=True)]
        scaled = _divided(residual, scale)
        after = _dot(residual, scaled)
        step = [value + after / before * change for value, change in zip(scaled, step, strict=True)]
        before = after
    return dict(zip(leads, fitted, strict=True))


def _factors(leads: Leads) -> dict[int, float]:
    """Return for each bot the variance of its strength as a multiple of the variance of its mean lead."""
    if len(leads) > EXACT:
        return dict.fromkeys(leads, 1.0)
    scale = [sum(lead.matches for lead in row.values()) for row in leads.values()]
    whole = sum(scale)
    # The normal equations, with the mean strength added to make them regular.
    rows = [
        [own * other / whole - (row[bot].matches if bot in row else 0) for bot, other in zip(leads, scale, strict=True)]
        for own, row in zip(scale, leads.values(), strict=True)
    ]
    for place, own in enumerate(scale):
        rows[place][place] += own
    inverse = _diagonal_of_inverse(rows)
    return {bot: own * (each - 1 / whole) for bot, own, each in zip(leads, scale, inverse, strict=True)}


def _diagonal_of_inverse(rows: Sequence[Sequence[float]]) -> list[float]:
    """Return the diagonal of the inverse of a symmetric positive definite matrix, by its Cholesky factor."""
    lower: list[list[float]] = []
    for place, row in enumerate(rows):
        mine: list[float] = []
        for other in lower:
            mine.append((row[len(mine)] - sum(map(mul, mine, other))) / other[-1])
        lower.append([*mine, sqrt(row[place] - sum(map(mul, mine, mine)))])
    return [sum(map(mul, column, column)) for column in _columns_of_inverse(lower)]


def _columns_of_inverse(lower: Sequence[Sequence[float]]) -> Iterator[list[float]]:
    """Yield the columns of the inverse of a lower triangular matrix, from the diagonal down."""
    for first in range(len(lower)):
        column = [1 / lower[first][first]]
        for row in lower[first + 1 :]:
            column.append(-sum(map(mul, row[first:], column)) / row[-1])
        yield column


def _reach(total: Sums, factor: float) -> float | None:
    if total.tables < FEWEST:
        return None
    error = total.error() * sqrt(max(0.0, factor))
    return student.quantile(0.975, total.tables - 1) * error or None


def _divided(values: Sequence[float], scale: Sequence[int]) -> list[float]:
    return [value / each for value, each in zip(values, scale, strict=True)]


def _dot(ones: Sequence[float], others: Sequence[float]) -> float:
    return fsum(map(mul, ones, others))
