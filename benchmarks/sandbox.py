"""The cage beside the bare system, beside what is asked of it, and beside others who play bots against each other."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from benchmarks.child import INSTALLED, Command, Side, other, ours
from benchmarks.duels import Ratio, Result, Row, measure
from benchmarks.engine import versions
from benchmarks.sides.measuring import Sample
from benchmarks.table import NOTHING, Table, digits, quartiles

BUDGET: Final = 0.05
"""Seconds of one measurement: a few matches, or a thousand requests."""
DEALS: Final = {"deals": 4}
FASTCHESS: Final = 56e-6
"""Seconds that fastchess takes for a ply besides its engines, measured on another machine of this kind."""
GOAL: Final = 1 / 500
"""Seconds that a deal of a sandboxed match may take."""


class Quoted:
    """A number that is not measured here."""

    about = "quoted, not measured in this run"

    def measure(self, command: Command | None, seed: int, budget: float) -> Sample | None:
        """The number."""
        return Sample(command.options["seconds"], 1) if command else None


class Comparison(NamedTuple):
    """A row of ours, beside one other side or nobody."""

    title: str
    command: str
    side: str = ""
    theirs: Command | None = None
    target: Ratio | None = None
    rate: str = ""

    def row(self, sides: Sequence[str]) -> Row:
        """As it is measured on all sides, ours first."""
        mine = Command(self.command, "suitability", DEALS if self.rate or self.side == "quoted" else {})
        others = [self.theirs if name == self.side else None for name in sides[1:]]
        return Row(self.title, (mine, *others), self.target, self.rate)

    def pair(self, result: Result, sides: Sequence[str]) -> Result:
        """What was found, of the two that are compared."""
        theirs = result.samples[sides.index(self.side)] if self.side else []
        return Result(result.row, [result.samples[0], theirs])


def bare(measure: str) -> Command:
    """What the system itself is asked."""
    return Command(measure, "suitability")


def quoted(seconds: float) -> Command:
    """A number for comparison."""
    return Command("", "", {"seconds": seconds})


HEARTS: Final = Command("matches", "open_spiel_hearts", {"includeLegalActions": True})
PIPES: Final = Command("matches", "suitability", {"deals": 1})
TWICE: Final = Ratio(2.0)
BOT: Final = (
    Comparison("ready", "ready", "plain", bare("python"), Ratio(0.25)),
    Comparison("stop", "stop"),
    Comparison("request and reply, short view", "short", "plain", bare("short"), TWICE),
    Comparison("the slowest of a hundred", "short_99", "plain", bare("short_99"), TWICE),
    Comparison("request and reply, views of a deal", "real", "plain", bare("real"), TWICE),
    Comparison("the slowest of a hundred", "real_99", "plain", bare("real_99"), TWICE),
)
MATCHES: Final = (
    Comparison("bots ready before", "matches", "quoted", quoted(GOAL), Ratio(1.0, speed=True), "deals/s"),
    Comparison("with start and end of bots", "matches_with_starts", "", None, None, "deals/s"),
)
OTHERS: Final = (
    Comparison("kaggle-environments", "matches", "kaggle", HEARTS, Ratio(60, speed=True), "deals/s"),
    Comparison("", "matches_with_starts", "kaggle", HEARTS, None, "deals/s"),
    Comparison("a Python for each seat", "matches", "pipes", PIPES, Ratio(35, speed=True), "deals/s"),
    Comparison("", "matches_with_starts", "pipes", PIPES, None, "deals/s"),
    Comparison("fastchess, overhead of a move", "overhead", "quoted", quoted(FASTCHESS), Ratio(0.5)),
)
ALONE: Final = (Comparison("private memory", "memory"), Comparison("request, all layers by none", "layers"))
"""Of which the samples are no seconds."""
LAYERS: Final = Ratio(1.05)
"""What all layers may make of the time of a request."""
PROTECTION: Final = (
    (
        "Suit Arena",
        "a process per seat behind all layers of the cage; CPU time, read from outside, ends what is slow",
    ),
    (
        "kaggle-environments",
        "nothing: agents run in the interpreter of the match; their time is looked at when they return",
    ),
    (
        "a Python for each seat",
        "a crash, and reading another's memory; not files, network, signals or endless silence",
    ),
    ("fastchess", "a crash, and a late answer by real time; engines may do all that the user who starts them may"),
)


def run(rounds: int, budget: float = BUDGET, installed: Path = INSTALLED) -> list[Table]:
    """The tables of this subject. Raises RuntimeError where no bot can be run here."""
    with ExitStack() as stack:
        mine, plain, pipes = (stack.enter_context(ours(name)) for name in ("caged", "plain", "pipes"))
        kaggle = stack.enter_context(other("kaggle", installed))
        sides: dict[str, Side] = {
            "suit-arena": mine, "plain": plain, "pipes": pipes, "kaggle": kaggle, "quoted": Quoted(),
        }  # fmt: skip
        names, asked = list(sides), [*BOT, *MATCHES, *OTHERS, *ALONE]
        measured = measure([each.row(names) for each in asked], list(sides.values()), rounds, budget)
        if mine.trouble:
            raise RuntimeError(f"the cage {mine.trouble}")
        about = about_sides(sides, rounds, budget)
    found = (each.pair(result, names) for each, result in zip(asked, measured, strict=True))
    bot, deals, others, alone = (list(islice(found, len(part))) for part in (BOT, MATCHES, OTHERS, ALONE))
    return [about, a_bot(bot, *alone), matches(deals), beside_others(others), protection()]


def about_sides(sides: Mapping[str, Side], rounds: int, budget: float) -> Table:
    """What ran, and how."""
    notes = (
        f"Medians of {rounds} rounds of {budget * 1000:g} ms each; sides take turns within a round, all on one core.\n"
        "Starts, stops and requests in real time; matches in the CPU time of all processes that take part."
    )
    return Table("What was measured", notes, ("", "version"), versions(sides))


def cells(results: Sequence[Result]) -> list[tuple[str, ...]]:
    """Title, our cell, theirs, the ratio, the target, whether it was reached."""
    return [(each.row.title, each.cell(0), each.cell(1), each.ratio(1), *each.reached()) for each in results]


def a_bot(results: Sequence[Result], memory: Result, layers: Result) -> Table:
    """Starting, asking and stopping one bot."""
    notes = (
        "From asking for a bot to its `on_start` having returned, beside `python3 -c pass`; and from a view to the "
        "answer of a bot\nthat does not think, beside packets of the same length that a Python sends back without "
        "looking at them. A view is encoded,\ndecoded, wrapped and answered, and the clock read on both sides of it."
    )
    nothing = (NOTHING,) * 4
    rows = [
        *cells(results),
        (memory.row.title, bare_numbers(memory, " MiB"), *nothing),
        (layers.row.title, bare_numbers(layers, "×"), *nothing[2:], f"≤ {LAYERS}", reached(layers)),
    ]
    return Table("A bot in its cage", notes, ("", "Suit Arena", "bare system", "ratio", "target", "reached"), rows)


def bare_numbers(result: Result, unit: str) -> str:
    """Median and quartiles of what are no seconds."""
    if not result.samples[0]:
        return NOTHING
    low, middle, high = quartiles([sample.each for sample in result.samples[0]])
    return f"{digits(middle)}{unit} ({digits(low)}–{digits(high)})"


def reached(layers: Result) -> str:
    """Whether layers cost no more than they may."""
    return "yes" if Ratio(median(sample.each for sample in layers.samples[0])).reaches(LAYERS) else "no"


def matches(results: Sequence[Result]) -> Table:
    """Deals a second between caged bots."""
    notes = (
        "Suitability for four, matches of four deals, four bots that do not think; with engine, views, clocks, and "
        "records built and\nencoded. In the first row the bots' processes wait, and their start and end is not counted."
    )
    goal = f"≥ {digits(1 / GOAL)} deals/s"
    rows = [(each.row.title, each.cell(0), goal if each.row.target else NOTHING, each.reached()[1]) for each in results]
    return Table("Matches in the cage", notes, ("", "Suit Arena", "target", "reached"), rows)


def beside_others(results: Sequence[Result]) -> Table:
    """Others who play bots against each other."""
    notes = (
        "Ours are the matches above: beside each of the others first with bots that are ready, then with start and\n"
        "end of their processes. kaggle-environments plays `open_spiel_hearts`, a deal a match, with agents as files;\n"
        "its environment is made before. A Python for each seat is the arena's engine, referee and views with four\n"
        "fresh processes for every deal, and lines of JSON in pipes. fastchess is in no package index: its\n"
        f"{FASTCHESS * 1e6:.0f} µs a ply are quoted from a machine of this kind. Ours is the time of a move that a\n"
        "bot is asked for, less the CPU time of the bot's process."
    )
    head = ("", "Suit Arena", "others", "ratio", "target", "reached")
    return Table("Beside others", notes, head, cells(results))


def protection() -> Table:
    """What bots are kept from."""
    return Table("What protects whom", "As of their sources.", ("", "against"), PROTECTION)
