"""Strength of the house bots on duplicate tables."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final

from arena.cli.bench import Series
from arena.cli.bots import NamedBot, house_bots, load_bot, room, seed_bytes
from arena.cli.crew import Setting
from arena.games.base import Game
from arena.games.registry import VARIANTS, rules_of
from arena.settings import Settings, usable_cores
from arena.tournament.intervals import Sums
from arena.tournament.seatings import ROTATIONS
from benchmarks.results import NOTHING, Table, digits, show_progress

BEST: Final = {"separate_suits": "regret"}
"""The house bot that is meant to be the strongest, by game; search in the others."""
MATCHES: Final = 4
"""Maximum number of matches of a pair for each round."""
CLEAR: Final = 0.99
"""Confidence with which it is clear that one of two bots is better."""
NOTES: Final = (
    "Share of the match points of the first bot against the second at every other place, and its lead in game points "
    "a deal, each with its 95 % interval. At most {matches} matches at duplicate tables each, fewer if it is clear who "
    "is better. CPU time of the first bot: half of its moves, and its longest match."
)


def run(rounds: int) -> list[Table]:
    """Play for this number of rounds each pair of house bots that may be neighbours."""
    matches = MATCHES * rounds
    head = ("variant", "bot", "against", "share", "lead", "tables", "CPU of a move", "of a match")
    return [Table("Strength", NOTES.format(matches=matches), head, _pairs(matches))]


def _pairs(matches: int) -> list[tuple[str, ...]]:
    """Return a row for each pair in each variant, the stronger one first."""
    settings = Settings.from_env()
    rows: list[tuple[str, ...]] = []
    for variant in VARIANTS:
        for pair in pairs_of(rules_of(variant)):
            show_progress(f"{variant}: {' against '.join(pair)}")
            rows.append((variant, *pair, *play(variant, [load_bot(name, settings) for name in pair], matches)))
    show_progress("")
    return rows


def pairs_of(rules: Game) -> list[tuple[str, str]]:
    """Return the pairs that show the order of the house bots of a game: the best against all others, and neighbours."""
    best = BEST.get(rules.id, "search")
    ladder = [name for name in ("planner", "greedy", "random") if name in house_bots(rules)]
    return [*((best, name) for name in house_bots(rules) if name != best), *pairwise(ladder)]


class UntilClear(Series):
    """Tables of two bots, until it is clear which of them is better."""

    def _tables(self) -> Iterator[tuple[int, Sequence[int]]]:
        return takewhile(lambda _: not self.is_clear(), super()._tables())

    def is_clear(self) -> bool:
        """Return whether the interval excludes a half."""
        low, high = Sums.of(self.points).interval(CLEAR) or (0.0, 1.0)
        return not low <= 0.5 <= high


def play(variant: str, bots: Sequence[NamedBot], matches: int) -> tuple[str, ...]:
    """Return the first bot's share and lead with intervals, the tables, and its CPU time of a move and of a match."""
    setting = Setting(bots, variant, rules_of(variant), 1, ROTATIONS, seed_bytes("strength"))
    series = UntilClear(setting, matches)
    series.run(lambda: room("bench", bots, None, Settings.from_env()), usable_cores(), keep_going=False, quiet=True)
    found = series.fields()
    if found["failure"]:
        raise RuntimeError(f"{found['failure']['name']} failed")
    think = found["think"]
    times = f"{digits(1000 * think['median'])} ms", f"{digits(think['most_per_match'])} s"
    shown = (cell(found["points"], found["interval"]), cell(found["lead"], found["lead_interval"]))
    return *shown, str(found["tables"]), *times


def cell(mean: float | None, interval: Sequence[float] | None) -> str:
    """Format a mean with its interval: 0.62 (0.55–0.69)."""
    if mean is None:
        return NOTHING
    low, high = interval or (None, None)
    return f"{mean:.2f} ({low:.2f}–{high:.2f})" if low is not None else f"{mean:.2f} ({NOTHING})"
