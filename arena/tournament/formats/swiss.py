"""Swiss system: in every round bots of like standing meet, and those who met before as little as can be.

The tables of a round are such that, first, as few pairs as possible meet again (a pair that has met three times counts
three), and second, the squared differences in standing of all who meet add up to little. In a small field all ways to
seat it are looked at. In others, where even partition into triangles is hard (Garey and Johnson 1979), two bots of
different tables are exchanged while that helps, from the tables by standing and from shuffled ones.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial
from random import Random
from typing import Final, NamedTuple

from arena.tournament.formats.table import Table

UNKNOWN: Final = Fraction(1, 2)
"""The share of somebody who has not played yet: that of all bots together."""
MOST_WAYS: Final = 3000
"""So many ways to seat a field are looked at: ten bots in pairs have 945, twelve 10,395."""
EFFORT: Final = 400
"""So many bots are seated in all beginnings together; there is one in any case."""
MOST_PASSES: Final = 50
"""So often all pairs of bots are looked at, from one beginning; a few times do."""

Prices = Sequence[Sequence[int]]
"""What it costs that two bots meet, by their places in the standing."""


class Standing(NamedTuple):
    """How a bot stands before a round."""

    entry: int
    share: Fraction | None
    """Match points over the most possible; None before it has played."""
    sat_out: int
    """How many rounds it sat out."""


def swiss(standings: Sequence[Standing], places: int, met: Mapping[tuple[int, int], int]) -> list[Table]:
    """The tables of the next round, the best in standing first; none where there are fewer bots than places.

    `met` says how often two entries, the smaller first, have met. Where the bots do not fill the tables, those sit out
    who sat out least so far, and of these the last in standing. The first round spreads the seeds over the tables.
    """
    playing = _playing(sorted(standings, key=lambda one: (-_share(one), one.entry)), places)
    if all(one.share is None for one in playing):
        return snake([one.entry for one in playing], places)
    prices = _prices(playing, met, places)
    best = min(_candidates(len(playing), places, prices), key=lambda tables: _price(tables, prices))
    return [tuple(sorted(playing[place].entry for place in table)) for table in sorted(map(sorted, best))]


def snake(entries: Sequence[int], places: int) -> list[Table]:
    """Full tables of about equal strength, from entries in order of strength: along the tables, back again, and so on.
    Who is over, at the end, has none."""
    tables = len(entries) // places
    rows = [entries[place * tables : (place + 1) * tables] for place in range(places)]
    columns = zip(*(row[::-1] if turn % 2 else row for turn, row in enumerate(rows)), strict=True)
    return [tuple(sorted(column)) for column in columns]


def _share(one: Standing) -> Fraction:
    return UNKNOWN if one.share is None else one.share


def _playing(ranked: Sequence[Standing], places: int) -> list[Standing]:
    """Without those who sit out."""
    last_first = sorted(range(len(ranked)), key=lambda place: (ranked[place].sat_out, -place))
    out = set(last_first[: len(ranked) % places])
    return [one for place, one in enumerate(ranked) if place not in out]


def _prices(playing: Sequence[Standing], met: Mapping[tuple[int, int], int], places: int) -> Prices:
    """Meeting again costs more than all differences together. Bots of equal share have the same place: the middle."""
    shares = [_share(one) for one in playing]
    middle = [shares.index(share) * 2 + shares.count(share) for share in shares]  # twice, to stay whole
    again = places * len(playing) * (2 * len(playing)) ** 2
    prices = [[(x - y) ** 2 for y in middle] for x in middle]
    for (i, one), (j, other) in combinations(enumerate(playing), 2):
        often = met.get((min(one.entry, other.entry), max(one.entry, other.entry)), 0)
        prices[i][j] += again * often
        prices[j][i] = prices[i][j]
    return prices


def _candidates(size: int, places: int, prices: Prices) -> Iterator[list[list[int]]]:
    tables = size // places
    if factorial(size) // (factorial(places) ** tables * factorial(tables)) <= MOST_WAYS:
        return _ways(list(range(size)), places)
    return (_improved(beginning, prices) for beginning in _beginnings(size, places))


def _ways(bots: list[int], places: int) -> Iterator[list[list[int]]]:
    """Every way to seat them all."""
    if not bots:
        yield []
    for company in combinations(bots[1:], places - 1) if bots else ():
        rest = [x for x in bots[1:] if x not in company]
        yield from ([[bots[0], *company], *others] for others in _ways(rest, places))


def _beginnings(size: int, places: int) -> Iterator[list[Sequence[int]]]:
    """The tables by standing, then shuffled ones."""
    order = list(range(size))
    random = Random(size)
    for _ in range(1 + EFFORT // size):
        yield [order[start : start + places] for start in range(0, size, places)]
        random.shuffle(order)


def _improved(tables: Sequence[Sequence[int]], prices: Prices) -> list[list[int]]:
    """The tables after all exchanges that help."""
    exchange = _Exchange(tables, prices)
    any(not exchange.improve() for _ in range(MOST_PASSES))  # until it no longer helps
    return exchange.tables()


class _Exchange:
    """Who sits where, and for everybody what it would cost to meet those of each table."""

    def __init__(self, tables: Sequence[Sequence[int]], prices: Prices) -> None:
        self.prices = prices
        self.home = {x: number for number, table in enumerate(tables) for x in table}
        self.sums = [[sum(row[y] for y in table) for table in tables] for row in prices]

    def improve(self) -> bool:
        """Look at all pairs once; whether any was exchanged."""
        helped = False
        for x, y in combinations(range(len(self.prices)), 2):
            a, b = self.home[x], self.home[y]
            here, there = self.sums[x], self.sums[y]
            if a != b and here[b] + there[a] - 2 * self.prices[x][y] < here[a] + there[b]:
                self._exchange(x, y)
                helped = True
        return helped

    def _exchange(self, x: int, y: int) -> None:
        a, b = self.home[x], self.home[y]
        self.home[x], self.home[y] = b, a
        for to_x, to_y, sums in zip(self.prices[x], self.prices[y], self.sums, strict=True):
            sums[a] += to_y - to_x
            sums[b] += to_x - to_y

    def tables(self) -> list[list[int]]:
        """Who sits at each table."""
        return [[x for x, home in self.home.items() if home == number] for number in sorted(set(self.home.values()))]


def _price(tables: Sequence[Sequence[int]], prices: Prices) -> int:
    return sum(prices[x][y] for table in tables for x, y in combinations(table, 2))
