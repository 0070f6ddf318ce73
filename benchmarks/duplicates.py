"""How many matches it takes to find out who is better: duplicate tables beside plain random deals.

Both are played by the same bots of known order. In *plain* matches four bots drawn at random sit at random and have
boards of their own; at *duplicate* tables four bots drawn at random play the same boards in four seatings.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from math import erf, sqrt
from random import Random
from statistics import fmean, pstdev, pvariance
from typing import Final, NamedTuple

from arena.games.base import Board
from arena.games.registry import game, variant
from arena.tournament.seatings import rotations
from arena.tournament.standings import half_points
from benchmarks import family
from benchmarks.duels import tell
from benchmarks.table import NOTHING, Table, digits, quartiles

VARIANT: Final = variant("suitability-4")
RULES: Final = game(VARIANT.game, VARIANT.options)
PLACES: Final = RULES.players
SEED: Final = 2026
TARGET: Final = 0.5
"""Of the matches of plain deals, what duplicate tables may need between near-equal bots."""
TAUS: Final = (0.3, 0.5, 0.7, 0.9)
MOST: Final = 10**6
"""Matches beyond which nobody waits for a tau."""

Match = dict[int, int]
"""Half points by bot."""
Unit = list[Match]
"""Four matches: those of a table, or as many plain ones."""


class Field(NamedTuple):
    """Bots of known order, best first."""

    title: str
    blunders: tuple[float, ...]
    """How often each of them blunders."""
    steady: bool
    """Whether always in the same positions (`family.steady`), or anew each time (`family.fickle`)."""
    matches: int
    """How many are played each way in a round; a power of two, four at least."""
    target: float | None = None
    """What neighbours may need."""


NEAR: Final = tuple(step / 50 for step in range(8))
FAR: Final = tuple(step / 7 for step in range(8))
FIELDS: Final = (
    Field("near-equal", NEAR, True, 4096, TARGET),
    Field("near-equal, drawing lots", NEAR, False, 2048),
    Field("far apart", FAR, True, 512),
)


class Gap(NamedTuple):
    """A bot beside a weaker one."""

    lead: float
    """How many half points more it takes in a match."""
    spread: float
    """The standard deviation of what one unit says of that."""


class Found(NamedTuple):
    """What the rounds of a field came to, of plain deals and of duplicate tables."""

    field: Field
    curves: tuple[dict[int, float], dict[int, float]]
    """Kendall's tau by number of matches."""
    gaps: tuple[list[Gap], list[Gap]]
    """Of all pairs."""
    neighbours: list[float]
    """By round, the part of the matches that duplicate tables need for the same error between neighbours."""
    ends: list[float]
    """The same between the best and the worst."""


def run(rounds: int, fields: Sequence[Field] = FIELDS) -> list[Table]:
    """The tables of this subject."""
    found = [measure(field, rounds) for field in fields]
    return [parts(found, rounds), curves(found, rounds)]


def measure(field: Field, rounds: int) -> Found:
    """Play all rounds of a field, both ways."""
    rng = Random(SEED)
    dice = family.steady if field.steady else family.fickle(rng)
    rows: list[tuple[list[Unit], list[Unit]]] = []
    for number in range(rounds):
        tell(f"{field.title}: round {number + 1} of {rounds}")
        units = range(field.matches // PLACES)
        rows.append(([plain(field, rng, dice) for _ in units], [duplicate(field, rng, dice) for _ in units]))
    tell("")
    last = len(field.blunders) - 1
    plains, tables = ([row[way] for row in rows] for way in (0, 1))
    # What a bot takes on the average is the same either way: who sits with it is drawn alike.
    means = shares([unit for row in (*plains, *tables) for unit in row], len(field.blunders))
    return Found(
        field,
        (curve(field, plains), curve(field, tables)),
        (gaps(list(chain.from_iterable(plains)), means), gaps(list(chain.from_iterable(tables)), means)),
        [ratio(*row, [(bot, bot + 1) for bot in range(last)]) for row in rows],
        [ratio(*row, [(0, last)]) for row in rows],
    )


def plain(field: Field, rng: Random, dice: family.Dice) -> Unit:
    """Matches of bots drawn at random, each on its own boards."""
    return [_match(field, drawn(field, rng), boards(rng), dice) for _ in range(PLACES)]


def duplicate(field: Field, rng: Random, dice: family.Dice) -> Unit:
    """The matches of a table: the same bots on the same boards in all rotations."""
    bots, dealt = drawn(field, rng), boards(rng)
    return [_match(field, [bots[place] for place in seating], dealt, dice) for seating in rotations(RULES.teams)]


def drawn(field: Field, rng: Random) -> list[int]:
    """Different bots, by seat."""
    return rng.sample(range(len(field.blunders)), PLACES)


def boards(rng: Random) -> list[Board]:
    """Those of a match."""
    return [RULES.draw_board(index, rng) for index in range(RULES.options["deals"])]


def _match(field: Field, bots: Sequence[int], dealt: Sequence[Board], dice: family.Dice) -> Match:
    ranks = family.play(RULES, dealt, [field.blunders[bot] for bot in bots], dice)
    return dict(zip(bots, half_points(ranks), strict=True))


def ratio(plain: Sequence[Unit], duplicate: Sequence[Unit], pairs: Sequence[tuple[int, int]]) -> float:
    """The part of plain matches that duplicate tables need for the same standard error between the bots of a pair.

    It is the ratio of the variances of one bot's lead over the other in matches where both sit. The matches of a table
    are one observation, so it is the variance of their sum that counts, for each of them.
    """
    singles, tables = ([[match] for unit in plain for match in unit], duplicate)
    return spread(tables, pairs) / PLACES / spread(singles, pairs)


def spread(observations: Sequence[Unit], pairs: Sequence[tuple[int, int]]) -> float:
    """The variance of the lead of a pair in an observation, the mean over pairs."""
    return fmean(pvariance(list(leads(observations, *pair))) for pair in pairs)


def leads(observations: Sequence[Unit], a: int, b: int) -> Iterator[int]:
    """What `a` has more than `b` in each observation where both sit."""
    return (sum(match[a] - match[b] for match in unit) for unit in observations if a in unit[0] and b in unit[0])


def curve(field: Field, rounds: Sequence[Sequence[Unit]]) -> dict[int, float]:
    """By number of matches the mean tau of the orders that so many find, over all such stretches of the rounds."""
    sizes = [PLACES << step for step in range(2, (field.matches // PLACES).bit_length())]
    return {size: fmean(_taus(field, rounds, size // PLACES)) for size in sizes}


def _taus(field: Field, rounds: Sequence[Sequence[Unit]], units: int) -> Iterator[float]:
    for row in rounds:
        for first in range(0, len(row), units):
            yield tau(shares(row[first : first + units], len(field.blunders)))


def shares(units: Sequence[Unit], bots: int) -> list[float]:
    """By bot, half points a match; those of who has not played are the mean."""
    own: list[list[int]] = [[] for _ in range(bots)]
    for unit in units:
        for match in unit:
            for bot, points in match.items():
                own[bot].append(points)
    return [fmean(points or [PLACES - 1]) for points in own]


def tau(shares: Sequence[float]) -> float:
    """Kendall's tau (a) between these and the order best first: pairs found right less those found wrong, of all."""
    return fmean((better > worse) - (better < worse) for better, worse in combinations(shares, 2))


def gaps(units: Sequence[Unit], means: Sequence[float]) -> list[Gap]:
    """Every pair of bots, the better one first, from these units and the means of their half points."""
    strays = [list(_strays(units, bot, mean)) for bot, mean in enumerate(means)]
    return [
        Gap(means[a] - means[b], pstdev(x - y for x, y in zip(strays[a], strays[b], strict=True)))
        for a, b in combinations(range(len(means)), 2)
    ]


def _strays(units: Sequence[Unit], bot: int, mean: float) -> Iterator[float]:
    """How far each unit leads the mean of a bot astray, per match that it plays in a unit on the average.

    A mean is a ratio of two sums, and this is its linear part (Cochran 1977, chapter 6).
    """
    own = [[match[bot] for match in unit if bot in match] for unit in units]
    played = fmean(map(len, own)) or 1.0
    return ((sum(points) - mean * len(points)) / played for points in own)


def expected(gaps: Sequence[Gap], matches: float) -> float:
    """Kendall's tau after so many matches, when leads are about normally distributed: of each pair, the chance that it
    stands right less that of wrong."""
    return fmean(erf(gap.lead / max(gap.spread, 1e-9) * sqrt(matches / PLACES / 2)) for gap in gaps)


def needed(gaps: Sequence[Gap], wanted: float) -> int | None:
    """After how many matches this tau is to be expected; None where nobody waits for it."""
    matches = bisect_left(range(MOST), wanted, key=lambda matches: expected(gaps, matches))
    return None if matches == MOST else matches


def parts(found: Sequence[Found], rounds: int) -> Table:
    """What part of the matches duplicate tables need, by the error between two bots and by tau."""
    notes = (
        "Of the matches that plain deals need, for the same error between neighbours, and between the best and the\n"
        f"worst, as medians of {rounds} rounds; and for the same tau, as is to be expected by leads and their spread."
    )
    head = ("", "neighbours", "target", "reached", "best and worst", *(f"tau {wanted}" for wanted in TAUS))
    rows = [
        (
            each.field.title,
            _cell(each.neighbours),
            f"≤ {each.field.target}" if each.field.target else NOTHING,
            _reached(each),
            _cell(each.ends),
            *(_part(each, wanted) for wanted in TAUS),
        )
        for each in found
    ]
    return Table("Matches that duplicate tables need", notes, head, rows)


def _cell(numbers: Sequence[float]) -> str:
    low, middle, high = quartiles(numbers)
    return f"{digits(middle)} ({digits(low)}–{digits(high)})"


def _reached(found: Found) -> str:
    if found.field.target is None:
        return NOTHING
    return "yes" if quartiles(found.neighbours)[1] <= found.field.target else "no"


def _part(found: Found, wanted: float) -> str:
    plain, duplicate = (needed(gaps, wanted) for gaps in found.gaps)
    return digits(duplicate / plain) if plain and duplicate else NOTHING


def curves(found: Sequence[Found], rounds: int) -> Table:
    """Kendall's tau over matches."""
    notes = (
        f"Between the order found and the true one, the mean over all stretches of so many matches of {rounds} rounds."
    )
    head = ("matches", *(f"{each.field.title}, {way}" for each in found for way in ("plain", "duplicate")))
    sizes = sorted({size for each in found for curve in each.curves for size in curve})
    rows = [(f"{size:,}", *(_tau(curve.get(size)) for each in found for curve in each.curves)) for size in sizes]
    return Table("Kendall's tau over matches", notes, head, rows)


def _tau(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"
