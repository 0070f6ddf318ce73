"""The vector environment beside the environments of other projects: decisions with all that a learner needs."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from arena.games.registry import DEFAULT_VARIANT, VARIANTS, rules_of
from arena.sdk.encoder import Encoder
from benchmarks.child import INSTALLED, Command, Side, other, ours
from benchmarks.engine import versions
from benchmarks.results import Ratio, Result, Row, Table, measure

BUDGET: Final = 0.3
"""Seconds per measurement."""
MANY: Final = {"rows": 16384}
SOME: Final = {"rows": 4096}
"""Options of environments with rows: each game has the number in which it was the fastest (docs/benchmarks.md)."""
FEW: Final = {"rows": 64}
TARGET: Final = Ratio(10.0, speed=True)
OTHERS: Final[Mapping[str, Sequence[tuple[str, str, Mapping[str, int]]]]] = {
    "open_spiel": [("OpenSpiel, hearts: 5,088 numbers", "hearts", {})],
    "rlcard": [
        ("RLCard, Leduc hold'em: 36 numbers", "leduc-holdem", {}),
        ("RLCard, bridge: 573 numbers", "bridge", {}),
    ],
    "pgx": [
        ("Pgx, Kuhn poker: 7 numbers", "kuhn_poker", MANY),
        ("Pgx, Leduc hold'em: 34 numbers", "leduc_holdem", SOME),
        ("Pgx, sparrow mahjong: 165 numbers", "sparrow_mahjong", SOME),
    ],
}
"""Titles with the lengths of observations, games and options, by side."""
RATE: Final = "decisions/s"
NOTES: Final = (
    "Random decisions with observation, legal actions and rewards. {variant} has observations of {numbers} numbers."
)


def run(rounds: int, budget: float = BUDGET, installed: Path = INSTALLED) -> list[Table]:
    """Measure all rows and return the tables. Raises `RuntimeError` if our own side cannot run."""
    with ExitStack() as stack:
        mine = stack.enter_context(ours("vector"))
        sides = {name: stack.enter_context(other(name, installed)) for name in OTHERS}
        beside = [found for name, side in sides.items() for found in measure(rows(name), [mine, side], rounds, budget)]
        every = measure([Row(each, [mine_at(each)], None, RATE) for each in VARIANTS], [mine], rounds, budget)
        if mine.trouble:
            raise RuntimeError(f"the vector environment {mine.trouble}")
        return tables({"suit-arena": mine, **sides}, rounds, beside, every)


def rows(side: str) -> list[Row]:
    """Return the rows with the games of a side."""
    return [
        Row(title, (mine_at(DEFAULT_VARIANT), Command("decisions", game, options)), TARGET, RATE)
        for title, game, options in OTHERS[side]
    ]


def mine_at(variant: str) -> Command:
    """Return the measurement of a variant; in few rows if some decisions are played by the rules, which are slow."""
    return Command("decisions", variant, MANY if rules_of(variant).open_auction else FEW)


def tables(sides: Mapping[str, Side], rounds: int, beside: list[Result], every: list[Result]) -> list[Table]:
    """Return the tables of the results."""
    notes = f"Medians of {rounds} rounds of CPU time on one core; sides alternate within a round."
    head = ("beside", "Suit Arena", "theirs", "ratio", "target", "reached")
    about = NOTES.format(variant=DEFAULT_VARIANT, numbers=numbers(DEFAULT_VARIANT))
    variants = [(each.row.title, str(numbers(each.row.title)), each.cell(0)) for each in every]
    return [
        Table("Versions", notes, ("", "version"), versions(sides)),
        Table("Vector environments", about, head, [each.beside() for each in beside]),
        Table("Vector environment of every variant", about, ("variant", "numbers", "decisions"), variants),
    ]


def numbers(variant: str) -> int:
    """Return the length of an observation."""
    return Encoder(rules_of(variant)).length
