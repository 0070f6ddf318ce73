"""Strength of the house bots on duplicate tables, and of those that search by their time per decision."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from re import subn
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
SCALED: Final = {"search": "WORLDS", "regret": "CHOICES"}
"""Constant of a bot that its time per decision is proportional to."""
SCALES: Final = (0.25, 0.5, 2.0, 4.0)
GROWTH: Final = {
    "suitability-4": "search",
    "suits-steere-3": "search",
    "separate-suits-4": "regret",
}
"""Bots whose growth is measured, by variant."""
MATCHES: Final = 4
"""Maximum number of matches of a pair for each round."""
CLEAR: Final = 0.99
"""Confidence with which it is clear that one of two bots is better."""
NOTES: Final = (
    "Share of the match points of the first bot against the second at every other place, with its 95 % interval. "
    "At most {matches} matches at duplicate tables each, fewer if it is clear who is better."
)


def run(rounds: int) -> list[Table]:
    """Play for this number of rounds each pair of house bots that may be neighbours, and each scale of time."""
    matches = MATCHES * rounds
    notes = NOTES.format(matches=matches)
    scales = [f"{scale:g}×" for scale in SCALES]
    return [
        Table("Strength", notes, ("variant", "bot", "against", "share", "tables", "CPU of a match"), _pairs(matches)),
        Table(
            "Strength by time", f"{notes} The bot at 1× is the second.", ("variant", "bot", *scales), _growth(matches)
        ),
    ]


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


def _growth(matches: int) -> list[tuple[str, ...]]:
    """Return a row for each bot of `GROWTH`."""
    rows = []
    for variant, name in GROWTH.items():
        show_progress(f"{variant}: {name} by time")
        bot = load_bot(name, Settings.from_env())
        shares = [play(variant, [scaled(bot, scale), bot], matches)[0] for scale in SCALES]
        rows.append((variant, name, *shares))
    show_progress("")
    return rows


def scaled(bot: NamedBot, scale: float) -> NamedBot:
    """Return a bot with this many times the time per decision. Raises `ValueError` if it has no constant for that."""
    found = subn(
        rf"(?m)^({SCALED.get(bot.name, 'no constant')}) = (\d+)$",
        lambda match: f"{match[1]} = {round(int(match[2]) * scale)}",
        bot.source.decode(),
    )
    if found[1] != 1:
        raise ValueError(f"{bot.name} has no constant that its time is proportional to; see SCALED")
    return NamedBot(f"{bot.name} {scale:g}×", bot.file, found[0].encode(), bot.house)


class UntilClear(Series):
    """Tables of two bots, until it is clear which of them is better."""

    def _tables(self) -> Iterator[tuple[int, Sequence[int]]]:
        return takewhile(lambda _: not self.is_clear(), super()._tables())

    def is_clear(self) -> bool:
        """Return whether the interval excludes a half."""
        low, high = Sums.of(self.points).interval(CLEAR) or (0.0, 1.0)
        return not low <= 0.5 <= high


def play(variant: str, bots: Sequence[NamedBot], matches: int) -> tuple[str, str, str]:
    """Return the share of the first bot with its interval, the tables, and the CPU time of its longest match."""
    setting = Setting(bots, variant, rules_of(variant), 1, ROTATIONS, seed_bytes("strength"))
    series = UntilClear(setting, matches)
    series.run(lambda: room("bench", bots, None, Settings.from_env()), usable_cores(), keep_going=False, quiet=True)
    found = series.fields()
    if found["failure"]:
        raise RuntimeError(f"{found['failure']['name']} failed")
    cpu = digits(found["think"]["most_per_match"])
    return share(found["points"], found["interval"]), str(found["tables"]), f"{cpu} s"


def share(points: float, interval: Sequence[float] | None) -> str:
    """Format a share: 0.62 (0.55–0.69)."""
    low, high = interval or (None, None)
    return f"{points:.2f} ({low:.2f}–{high:.2f})" if low is not None else f"{points:.2f} ({NOTHING})"
