"""The engine beside OpenSpiel's hearts: C++ driven from Python."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from arena.games.registry import VARIANTS
from benchmarks.child import INSTALLED, Command, Side, other, ours
from benchmarks.results import Ratio, Result, Row, Table, measure

BUDGET: Final = 0.03
"""Seconds per measurement: long enough for hundreds of moves, short enough that sides run moments apart."""


def row(title: str, measure: str, theirs: str, target: Ratio | None = None, rate: str = "", **hearts: bool) -> Row:
    """Return a row for Suitability for four with one deal per match, beside hearts (one deal in OpenSpiel).

    `hearts` are OpenSpiel's options. By default three of four deals begin with a pass of three cards.
    """
    commands = (Command(measure, "suitability", {"deals": 1}), Command(theirs, "hearts", hearts))
    return Row(title, commands, target, rate)


ROWS: Final = (
    row("move", "moves", "moves", Ratio(1.25, speed=True)),
    row("deal", "matches", "matches", Ratio(1.75, speed=True), "deals/s"),
    row("deal, hearts without passing", "matches", "matches", None, "deals/s", pass_cards=False),
    row("clone", "clones", "clones", Ratio(0.6)),
    row("view", "views", "views", Ratio(1.0)),
)
BESIDE: Final = ("", "Suit Arena", "OpenSpiel hearts", "ratio", "target", "reached")
OTHER_GAMES: Final = Ratio(2.0)
"""Target for a move of the other games, relative to a move of hearts."""


def variant_rows() -> Iterator[Row]:
    """Yield a row per variant."""
    for each in VARIANTS.values():
        target = None if each.game == "suitability" else OTHER_GAMES
        yield Row(each.id, (Command("moves", each.game, each.options), Command("moves", "hearts")), target)


def run(rounds: int, budget: float = BUDGET, installed: Path = INSTALLED) -> list[Table]:
    """Measure all rows and return the tables. Raises `RuntimeError` if our own side cannot run."""
    rows = [*ROWS, *variant_rows()]
    with ours() as mine, other("open_spiel", installed) as spiel:
        sides = {"suit-arena": mine, "open_spiel": spiel}
        results = measure(rows, list(sides.values()), rounds, budget)
        if mine.trouble:
            raise RuntimeError(f"the arena's engine {mine.trouble}")
        notes = f"Medians of {rounds} rounds of {budget * 1000:g} ms of CPU time each; sides alternate within a round."
        about = Table("Versions", notes, ("", "version"), versions(sides))
    return [about, beside_others(results[: len(ROWS)]), every_variant(results[len(ROWS) :])]


def versions(sides: Mapping[str, Side]) -> list[tuple[str, str]]:
    """Return the version of each side and the CPU."""
    return [*((name, side.about) for name, side in sides.items()), ("CPU", f"{cpu()}, {os.cpu_count()} cores")]


def cpu() -> str:
    """Return the processor model; "unknown" if the system does not report it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split(": ", 1)[1] for line in lines if line.startswith("model name")), "unknown")


def beside_others(results: Sequence[Result]) -> Table:
    """Return the table of Suitability beside the most similar game of OpenSpiel."""
    ours, hearts = (results[0].things(side) for side in range(2))
    notes = (
        "Four players and 52 cards each, but different games. "
        f"Suitability has {ours} moves a deal including\nnominations and claims; hearts {hearts} including the pass. "
        "OpenSpiel's view is information_state_string."
    )
    return Table("Suitability beside hearts", notes, BESIDE, [each.beside() for each in results])


def every_variant(results: Sequence[Result]) -> Table:
    """Return a table with a row per variant."""
    notes = "Moves of random matches, beside moves of OpenSpiel's hearts without the deal."
    head = ("variant", "moves a match", "move", "hearts", "ratio", "target", "reached")
    rows = [(title, each.things(0), *cells) for each in results for title, *cells in [each.beside()]]
    return Table("Every variant", notes, head, rows)
