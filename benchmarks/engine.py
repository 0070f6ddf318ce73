"""The engine beside OpenSpiel's hearts (C++ driven from Python) and RLCard's bridge (Python)."""

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
    """Return a row for Suitability for four with one deal per match, beside hearts (one deal in OpenSpiel) and bridge.

    `hearts` are OpenSpiel's options. By default three of four deals begin with a pass of three cards.
    """
    bridge = Command(theirs, "bridge") if theirs in ("moves", "matches") and not hearts else None
    commands = (Command(measure, "suitability", {"deals": 1}), Command(theirs, "hearts", hearts), bridge)
    return Row(title, commands, target, rate)


ROWS: Final = (
    row("move", "moves", "moves", Ratio(1.25, speed=True)),
    row("deal", "matches", "matches", Ratio(1.75, speed=True), "deals/s"),
    row("deal, hearts without passing", "matches", "matches", None, "deals/s", pass_cards=False),
    row("clone", "clones", "clones", Ratio(0.6)),
    row("view", "views", "views", Ratio(1.0)),
    row("view as JSON", "texts", "views"),
)
OTHER_GAMES: Final = Ratio(2.0)
"""Target for a move of the other games, relative to a move of hearts."""


def variant_rows() -> Iterator[Row]:
    """Yield two rows per variant: moves alone, and moves including their share of the boards."""
    for each in VARIANTS.values():
        target = None if each.game == "suitability" else OTHER_GAMES
        for what in ("moves", "moves_and_boards"):
            yield Row(each.id, (Command(what, each.game, each.options), Command("moves", "hearts"), None), target)


def run(rounds: int, budget: float = BUDGET, installed: Path = INSTALLED) -> list[Table]:
    """Measure all rows and return the tables. Raises `RuntimeError` if our own side cannot run."""
    rows = [*ROWS, *variant_rows()]
    with ours() as mine, other("open_spiel", installed) as spiel, other("rlcard", installed) as rlcard:
        sides = {"suit-arena": mine, "open_spiel": spiel, "rlcard": rlcard}
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
    """Return the table of Suitability beside the most similar games elsewhere."""
    ours, hearts, bridge = (results[0].things(side) for side in range(3))
    notes = (
        "Four players and 52 cards each, but different games. "
        f"Suitability has {ours} moves a deal including\nnominations and claims; hearts {hearts} including the pass; "
        f"bridge {bridge} including the auction. OpenSpiel's view is information_state_string."
    )
    head = ("", "Suit Arena", "OpenSpiel hearts", "ratio", "target", "reached", "RLCard bridge", "ratio")
    rows = [
        (each.row.title, each.cell(0), each.cell(1), each.ratio(1), *each.reached(), each.cell(2), each.ratio(2))
        for each in results
    ]
    return Table("Suitability beside hearts and bridge", notes, head, rows)


def every_variant(results: Sequence[Result]) -> Table:
    """Return a table with a row per variant, built from pairs of results."""
    notes = "Moves of random matches, beside moves of OpenSpiel's hearts without the deal."
    head = ("variant", "moves a match", "move", "hearts", "ratio", "target", "reached", "move with boards", "ratio")
    rows = [
        (
            *(moves.row.title, moves.things(0), moves.cell(0), moves.cell(1), moves.ratio(1), *moves.reached()),
            *(boards.cell(0), boards.ratio(1)),
        )
        for moves, boards in zip(results[::2], results[1::2], strict=True)
    ]
    return Table("Every variant", notes, head, rows)
