"""Swiss system: in every round bots of similar standing meet, with as few rematches as possible.

The tables of a round minimise two prices: first the number of rematches (a pair that has met three times counts three),
then the sum of squared differences in standing over all pairs that meet. In a small field all ways to seat it are
compared. Otherwise, as even partition into triangles is hard (Garey and Johnson 1979), two bots of different tables and
similar standing change places as long as that helps, starting from the tables by standing and from shuffled ones. Up to
`MOST_SEARCHED` bots, rounds without rematches are searched as well, looking ahead to later rounds
(`arena.tournament.formats.rematches`).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial
from random import Random
from typing import Final, NamedTuple

from arena.tournament.formats.base import Cost, Met, StageSize, Table, snake
from arena.tournament.formats.rematches import without_rematches
from arena.words import N_, _

NAME: Final = "swiss"
TITLE: Final = N_("Swiss")
SUMMARY: Final = N_(
    "A fixed number of rounds, each between bots of similar standing that have not met yet. No bot is eliminated."
)
MOST_ENTRIES: Final = 300
"""Largest field for which rounds are searched."""

UNKNOWN: Final = Fraction(1, 2)
"""Share of a bot that has not played yet: the mean share of all bots."""
MOST_WAYS: Final = 3000
"""Number of ways to seat a field up to which all are compared: ten bots in pairs have 945, twelve 10,395."""
MOST_SEARCHED: Final = 32
"""Number of bots up to which rounds without rematches are searched; in larger fields exchanges find them."""
EFFORT: Final = 400
"""Number of bots seated in all starts together; there is always at least one start."""
REACH: Final = 40
"""Largest difference in standing of two bots that change places."""
MOST_LOOKS: Final = 200_000
"""Approximate number of pairs that are tried from one start; a few tries per pair are enough."""


class Standing(NamedTuple):
    """Standing of a bot before a round."""

    entry: int
    share: Fraction | None
    """Match points as a fraction of the most possible; None before its first table."""
    sat_out: int
    """Number of rounds it sat out."""


def cost(entries: int, places: int, rounds: int) -> Cost:
    """Return the cost of a Swiss tournament. Tables per bot are known only if nobody ever sits out."""
    tables, over = divmod(entries, places)
    return Cost((StageSize(tables, over),) * rounds, per_bot=None if over else rounds)


def stage_name(number: int) -> str:
    """Return the name of a round, numbered from 0, for users."""
    return _("Round %(number)s", number=number + 1)


def next_round(standings: Sequence[Standing], places: int, met: Met, later: int = 0) -> list[Table]:
    """Return the tables of the next round, the best in standing first; none with fewer bots than places.

    `later` is the number of rounds that follow. If the bots do not fill the tables, those with the fewest rounds sat
    out so far sit out, and among these the last in standing. The first round spreads the seeds over the tables.
    """
    playing = _playing(sorted(standings, key=lambda one: (-_share(one), one.entry)), places)
    if all(one.share is None for one in playing):
        return snake([one.entry for one in playing], places)
    tables = _seated(_Prices(playing, met), places, later if len(playing) == len(standings) else 0)
    return [tuple(sorted(playing[place].entry for place in table)) for table in sorted(map(sorted, tables))]


def _seated(prices: "_Prices", places: int, later: int) -> Sequence[Sequence[int]]:
    """Return the tables of a round; bots are given by rank."""
    size = len(prices.middle)
    best = min(_candidates(size, places, prices), key=prices.round)
    if size > MOST_SEARCHED:
        return best
    return without_rematches(prices.unmet(), places, later, prices.round, best) or best


def _share(one: Standing) -> Fraction:
    return UNKNOWN if one.share is None else one.share


def _playing(ranked: Sequence[Standing], places: int) -> list[Standing]:
    """Return the bots that do not sit out."""
    last_first = sorted(range(len(ranked)), key=lambda place: (ranked[place].sat_out, -place))
    out = set(last_first[: len(ranked) % places])
    return [one for place, one in enumerate(ranked) if place not in out]


class _Prices:
    """Price of each meeting, by the ranks of the two bots.

    A rematch costs more than all differences together. Bots with equal shares share the middle of their ranks.
    """

    def __init__(self, playing: Sequence[Standing], met: Met) -> None:
        self.middle = _middles([_share(one) for one in playing])
        self.again = (2 * len(playing)) ** 4
        """Price of a rematch: above the number of pairs times the largest squared difference."""
        place = {one.entry: number for number, one in enumerate(playing)}
        self.met: list[dict[int, int]] = [{} for _ in playing]
        for (x, y), often in met.items():
            if often and x in place and y in place:
                self.met[place[x]][place[y]] = self.met[place[y]][place[x]] = often

    def beside(self, x: int, table: Sequence[int], instead: int) -> int:
        """Return the price of seating `x` at a table in place of `instead`."""
        own, known = self.middle[x], self.met[x]
        return sum((own - self.middle[y]) ** 2 + self.again * known.get(y, 0) for y in table if y != instead)

    def round(self, tables: Sequence[Sequence[int]]) -> int:
        """Return the price of all tables; each pair counts twice."""
        return sum(self.beside(x, table, x) for table in tables for x in table)

    def unmet(self) -> list[int]:
        """Return for each bot the set of bots it has not met, as a bit mask."""
        everyone = (1 << len(self.middle)) - 1
        return [everyone - sum(1 << y for y in known) - (1 << x) for x, known in enumerate(self.met)]


def _middles(shares: Sequence[Fraction]) -> list[int]:
    """Return for each bot twice the middle of the ranks of all bots with its share; shares are given best first."""
    ends: dict[Fraction, list[int]] = {}
    for place, share in enumerate(shares):
        ends.setdefault(share, [place, place])[1] = place
    return [sum(ends[share]) + 1 for share in shares]


def _candidates(size: int, places: int, prices: _Prices) -> Iterator[Sequence[Sequence[int]]]:
    tables = size // places
    if factorial(size) // (factorial(places) ** tables * factorial(tables)) <= MOST_WAYS:
        return _ways(list(range(size)), places)
    return (_improved(start, prices) for start in _starts(size, places))


def _ways(bots: list[int], places: int) -> Iterator[list[Table]]:
    """Yield every way to seat all bots."""
    if not bots:
        yield []
    for company in combinations(bots[1:], places - 1) if bots else ():
        rest = [x for x in bots[1:] if x not in company]
        yield from ([(bots[0], *company), *others] for others in _ways(rest, places))


def _starts(size: int, places: int) -> Iterator[list[list[int]]]:
    """Yield the tables by standing, then shuffled ones."""
    order = list(range(size))
    random = Random(size)
    for _round in range(1 + EFFORT // size):
        yield [order[start : start + places] for start in range(0, size, places)]
        random.shuffle(order)


def _improved(tables: Sequence[list[int]], prices: _Prices) -> Sequence[Sequence[int]]:
    """Exchange bots until it no longer helps, and return the tables."""
    home = {x: table for table in tables for x in table}
    passes = 1 + MOST_LOOKS // (len(home) * REACH)
    for _pass in range(passes):
        if not _improve(home, prices):
            break
    return tables


def _improve(home: dict[int, list[int]], prices: _Prices) -> bool:
    """Try each pair of close bots once. Return whether any changed places."""
    helped = False
    for x in range(len(home)):
        for y in range(x + 1, min(x + REACH, len(home))):
            here, there = home[x], home[y]
            if here is not there and _helps(x, y, here, there, prices):
                here[here.index(x)], there[there.index(y)] = y, x
                home[x], home[y] = there, here
                helped = True
    return helped


def _helps(x: int, y: int, here: Sequence[int], there: Sequence[int], prices: _Prices) -> bool:
    """Return whether the price falls if `x` from one table and `y` from the other change places."""
    now = prices.beside(x, here, x) + prices.beside(y, there, y)
    return prices.beside(x, there, y) + prices.beside(y, here, x) < now
