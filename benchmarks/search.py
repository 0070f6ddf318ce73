"""Random playouts on the kernel, on its twin in Python and by the rules, in the cage."""

from collections.abc import Iterator
from typing import Final

from arena.games.registry import VARIANTS, rules_of
from benchmarks.child import Command, ours
from benchmarks.engine import cpu
from benchmarks.results import Ratio, Result, Row, Table, measure

BUDGET: Final = 0.03
"""Seconds per measurement."""
FIXED: Final = {"suitability": 50.0, "separate_suits": 5.0}
"""Targets by game for playouts of one world; `OTHER` for other games."""
FRESH: Final = {"suitability": 30.0, "separate_suits": 5.0}
"""Targets by game for playouts with a world for each."""
OTHER: Final = 20.0
PLAYED: Final = ("suitability", "suit_yourself", "suits_steere", "separate_suits")
HEAD: Final = ("from the first card", "kernel", "by the rules", "ratio", "target", "reached", "twin", "ratio")


def rows() -> Iterator[Row]:
    """Yield two rows per variant that the kernel plays: with one world, and with a fresh one for each playout."""
    for each in VARIANTS.values():
        if each.game in PLAYED or (each.game == "suits_barnhart" and rules_of(each.id).players > 1):
            for fresh, targets in (("", FIXED), ("_fresh", FRESH)):
                names = (f"kernel{fresh}", f"rules{fresh}", "" if fresh else "twin")
                commands = [Command(name, each.id) if name else None for name in names]
                target = Ratio(targets.get(each.game, OTHER), speed=True)
                yield Row(f"{each.id}, {'fresh worlds' if fresh else 'one world'}", commands, target, "playouts/s")


def run(rounds: int, budget: float = BUDGET) -> list[Table]:
    """Measure all rows and return the table. Raises `RuntimeError` if our own side cannot run."""
    with ours("playouts") as side:
        results = measure([*rows()], [side, side, side], rounds, budget)
        if side.trouble:
            raise RuntimeError(f"the bot that measures {side.trouble}")
        notes = f"Medians of {rounds} rounds of {budget * 1000:g} ms. {side.about}; one core of {cpu()}."
    return [Table("Playouts", notes, HEAD, [cells(each) for each in results])]


def cells(found: Result) -> tuple[str, ...]:
    """Return the row of a result; the second ratio is that of the kernel to its twin."""
    return (
        found.row.title,
        found.cell(0),
        found.cell(1),
        found.ratio(1),
        *found.reached(),
        found.cell(2),
        found.ratio(2),
    )
