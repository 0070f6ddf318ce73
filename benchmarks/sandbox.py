"""The cage beside the bare system, its targets, and kaggle-environments, which also plays bots against each other."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from benchmarks.child import INSTALLED, Command, Side, other, ours
from benchmarks.engine import versions
from benchmarks.results import NOTHING, Ratio, Result, Row, Table, digits, measure, quartiles, reached
from benchmarks.sides.harness import Sample

BUDGET: Final = 0.05
"""Seconds per measurement: a few matches, or a thousand requests."""
DEALS: Final = {"deals": 4}
GOAL: Final = 1 / 500
"""Target time, in seconds, for a deal of a caged match."""


class Goal:
    """A side that returns the target of a deal instead of measuring."""

    about = "the target, not measured"

    def measure(self, command: Command | None, seed: int, budget: float) -> Sample | None:
        """Return the target."""
        return Sample(GOAL, 1) if command else None


class Comparison(NamedTuple):
    """A row that compares us with at most one other side."""

    title: str
    command: str
    side: str = ""
    theirs: Command | None = None
    target: Ratio | None = None
    rate: str = ""

    def row(self, sides: Sequence[str]) -> Row:
        """Return the row with commands for all sides, ours first."""
        mine = Command(self.command, "suitability", DEALS if self.rate else {})
        others = [self.theirs if name == self.side else None for name in sides[1:]]
        return Row(self.title, (mine, *others), self.target, self.rate)

    def pair(self, result: Result, sides: Sequence[str]) -> Result:
        """Reduce a result to our samples and those of the other side."""
        theirs = result.samples[sides.index(self.side)] if self.side else []
        return Result(result.row, [result.samples[0], theirs])


def bare(measure: str) -> Command:
    """Return a command for the bare system."""
    return Command(measure, "suitability")


HEARTS: Final = Command("matches", "open_spiel_hearts", {"includeLegalActions": True})
TWICE: Final = Ratio(2.0)
BOT: Final = (
    Comparison("ready", "ready", "plain", bare("python"), Ratio(0.25)),
    Comparison("stop", "stop"),
    Comparison("request and reply, short view", "short", "plain", bare("short"), TWICE),
    Comparison("99th percentile", "short_99", "plain", bare("short_99"), TWICE),
    Comparison("request and reply, views of a deal", "real", "plain", bare("real"), TWICE),
    Comparison("99th percentile", "real_99", "plain", bare("real_99"), TWICE),
)
MATCHES: Final = (
    Comparison("bots ready in advance", "matches", "goal", bare(""), Ratio(1.0, speed=True), "deals/s"),
    Comparison("with start and end of bots", "matches_with_starts", "", None, None, "deals/s"),
)
OTHERS: Final = (
    Comparison("kaggle-environments", "matches", "kaggle", HEARTS, Ratio(60, speed=True), "deals/s"),
    Comparison("", "matches_with_starts", "kaggle", HEARTS, None, "deals/s"),
)
ALONE: Final = (Comparison("private memory", "memory"), Comparison("request, all layers relative to none", "layers"))
"""Rows whose samples are not seconds."""
LAYERS: Final = Ratio(1.05)
"""Target for a request with all layers, relative to one without layers."""


def run(rounds: int, budget: float = BUDGET, installed: Path = INSTALLED) -> list[Table]:
    """Measure all rows and return the tables. Raises `RuntimeError` if no bot can run on this machine."""
    with ExitStack() as stack:
        mine, plain = (stack.enter_context(ours(name)) for name in ("caged", "plain"))
        kaggle = stack.enter_context(other("kaggle", installed))
        sides: dict[str, Side] = {"suit-arena": mine, "plain": plain, "kaggle": kaggle, "goal": Goal()}
        names, asked = list(sides), [*BOT, *MATCHES, *OTHERS, *ALONE]
        measured = measure([each.row(names) for each in asked], list(sides.values()), rounds, budget)
        if mine.trouble:
            raise RuntimeError(f"the cage {mine.trouble}")
        about = about_sides(sides, rounds, budget)
    found = (each.pair(result, names) for each, result in zip(asked, measured, strict=True))
    bot, deals, others, alone = (list(islice(found, len(part))) for part in (BOT, MATCHES, OTHERS, ALONE))
    return [about, a_bot(bot, *alone), matches(deals), beside_others(others)]


def about_sides(sides: Mapping[str, Side], rounds: int, budget: float) -> Table:
    """Return the table of sides, versions and methods."""
    notes = (
        f"Medians of {rounds} rounds of {budget * 1000:g} ms each; sides alternate within a round, all on one core.\n"
        "Starts, stops and requests in real time; matches in the CPU time of all participating processes."
    )
    return Table("Versions", notes, ("", "version"), versions(sides))


def a_bot(results: Sequence[Result], memory: Result, layers: Result) -> Table:
    """Return the table about starting, asking and stopping one bot."""
    notes = (
        "From requesting a bot until `on_start` has returned, beside `python3 -c pass`; and from a view to the "
        "answer of a\ntrivial bot, beside packets of the same length echoed by a bare Python. "
        "A view is encoded,\ndecoded, wrapped and answered, and the clock is read before and after."
    )
    met = Ratio(median(sample.each for sample in layers.samples[0])).reaches(LAYERS)
    rows = [
        *(each.beside() for each in results),
        (memory.row.title, bare_numbers(memory, " MiB"), *(NOTHING,) * 4),
        (layers.row.title, bare_numbers(layers, "×"), *(NOTHING,) * 2, f"≤ {LAYERS}", reached(met)),
    ]
    return Table("A bot in its cage", notes, ("", "Suit Arena", "bare system", "ratio", "target", "reached"), rows)


def bare_numbers(result: Result, unit: str) -> str:
    """Return the median and quartiles of samples that are not seconds."""
    if not result.samples[0]:
        return NOTHING
    low, middle, high = quartiles([sample.each for sample in result.samples[0]])
    return f"{digits(middle)}{unit} ({digits(low)}–{digits(high)})"


def matches(results: Sequence[Result]) -> Table:
    """Return the table of deals per second between caged bots."""
    notes = (
        "Suitability for four, matches of four deals, trivial bots; includes engine, views, clocks, and "
        "building and\nencoding records. The first row does not count start and end of the bots' processes."
    )
    goal = f"≥ {digits(1 / GOAL)} deals/s"
    rows = [(each.row.title, each.cell(0), goal if each.row.target else NOTHING, each.reached()[1]) for each in results]
    return Table("Matches in the cage", notes, ("", "Suit Arena", "target", "reached"), rows)


def beside_others(results: Sequence[Result]) -> Table:
    """Return the table of the other system."""
    notes = (
        "Ours are the matches above, first with bots ready in advance, then with start and end of their processes.\n"
        "kaggle-environments plays `open_spiel_hearts`, one deal per match, agents as files; creating its\n"
        "environment is not counted."
    )
    head = ("", "Suit Arena", "kaggle-environments", "ratio", "target", "reached")
    return Table("Beside others", notes, head, [each.beside() for each in results])
