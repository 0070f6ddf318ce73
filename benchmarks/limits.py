"""Losses from which a decision is an inaccuracy, a mistake and a blunder, from decisions of house bots."""

from collections.abc import Iterable, Iterator
from itertools import islice
from random import Random
from statistics import quantiles
from typing import Final

from arena.cli.bots import house_bots
from arena.games.base import Game
from arena.games.registry import VARIANTS, rules_of
from arena.match.analysis import LIMITS, analyse
from benchmarks.bots import Everywhere, play
from benchmarks.results import Table, show_progress

SHARES: Final = (0.1, 0.05, 0.02)
"""Share of the decisions that lose at least as much, by mark."""
LEAST: Final = 0.05
"""Minimum of a limit, in points: few decisions of some variants certainly lose anything."""
DECISIONS: Final = 100
"""Number of decisions for each round."""
NOTES: Final = (
    "Points that {shares} of the decisions certainly lose at least, with two significant digits, beside the limits in "
    "use. {decisions} decisions of house bots but the random one, of one seat at each table, at tables of one deal."
)


def run(rounds: int) -> list[Table]:
    """Analyse decisions of each variant."""
    decisions = DECISIONS * rounds
    rows = []
    for variant in VARIANTS:
        show_progress(variant)
        rows.append((variant, _shown(limits_of(rules_of(variant).shortest(), decisions)), _shown(LIMITS[variant])))
    show_progress("")
    notes = NOTES.format(shares=", ".join(f"{share:.0%}" for share in SHARES), decisions=decisions)
    return [Table("Limits of marks", notes, ("variant", "inaccuracy, mistake, blunder", "in use"), rows)]


def limits_of(rules: Game, decisions: int) -> list[float]:
    """Return the limits by this number of decisions. Equal rules have equal limits."""
    losses = [*islice(_losses(rules, Random(rules.id)), decisions)]
    found = quantiles(losses, n=1000, method="inclusive")
    return [max(LEAST, found[round(1000 * (1 - share)) - 1]) for share in SHARES]


def _losses(rules: Game, rng: Random) -> Iterator[float]:
    """Yield the points that decisions certainly lost; 0 if it is not certain."""
    bots = [Everywhere(name, rules) for name in house_bots(rules) if name != "random"]
    while True:
        record = play(rules, [rng.choice(bots) for _ in range(rules.players)], rng)
        for one in analyse(record, seats=[rng.randrange(rules.players)]):
            yield one.lost if one.lost > one.margin else 0.0


def _shown(limits: Iterable[float]) -> str:
    return ", ".join(f"{limit:#.2g}".rstrip(".") for limit in limits)
