"""``arena compare``: is one bot better than another? Played at home, without a server."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import click

from arena.cli.given import GivenBot, MakePlayer, cage_option, given_bot, players, root, seed_option
from arena.games.base import Game
from arena.games.chance import table_seed
from arena.games.errors import OptionError
from arena.games.registry import DEFAULT_VARIANT
from arena.sdk.local import inspect
from arena.sdk.player import Player
from arena.services.comparisons import DELTA, FEWEST_TABLES, LEAST_DELTA, MOST, MOST_DELTA, MOST_TABLES
from arena.services.plans import boards_of, rules_of
from arena.services.play import Work, play_work
from arena.services.repertoire import plays
from arena.services.seating import Sitter
from arena.settings import Settings
from arena.tournament.formats import comparison
from arena.tournament.seatings import ROTATIONS
from arena.tournament.sequential import SequentialTest, Verdict
from arena.tournament.tables import kind_of
from bots import HOUSE

SENTENCES = {
    "better": "{b} is better than {a}.",
    "not better": "{b} is not better than {a} by a lead of {delta:.1%}.",
    "undecided": "It is not clear yet whether {b} is better than {a}: take more tables (--most).",
}


class Lead(click.FloatRange):
    """A number in the range; to click "nan" is in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value!r} is not a valid float.", param, ctx)
        return number


@click.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--variant", default=DEFAULT_VARIANT, show_default=True, help="What they play.")
@click.option("--field", multiple=True, metavar="BOT", help="Who else sits at the tables; by default house bots.")
@click.option(
    "--delta",
    type=Lead(LEAST_DELTA, MOST_DELTA),
    default=DELTA,
    show_default=True,
    help="The lead of B that counts as better, as a part of the match points that a table has.",
)
@click.option(
    "--most",
    type=click.IntRange(FEWEST_TABLES, MOST_TABLES),
    default=MOST,
    show_default=True,
    help="Tables after which it ends without an answer.",
)
@click.option("--boards", type=click.IntRange(1, 100), help="Sets of boards per table; by default the variant's own.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@seed_option
@cage_option
def compare(
    a: str,
    b: str,
    variant: str,
    field: tuple[str, ...],
    delta: float,
    most: int,
    boards: int | None,
    as_json: bool,
    seed: str,
    cage: bool | None,
) -> None:
    """Say whether the bot B is better than the bot A: names of built-in bots, or paths of bots.

    Both sit at every table, with others from the field. Every table plays the same deals under every seating, so luck
    is the same for both. It ends as soon as the answer is known (a sequential test, see the docs on statistics).
    """
    settings = Settings.from_env()
    try:
        rules, sets = rules_of(variant), boards_of(variant, boards)
    except OptionError as error:
        raise click.UsageError(str(error)) from None
    bots = [given_bot(name, settings) for name in (a, b, *(field or _house(rules, {a, b})))]
    if len(bots) < len(rules.teams):
        raise click.UsageError(f"a table of {variant} seats {len(rules.teams)}: name more bots with --field")
    with players("compare", bots, cage, settings) as player:
        tables = Tables(bots, variant, rules, sets, root(seed), player, quiet=as_json)
        verdict = SequentialTest(delta=delta, most_tables=most).state(tables.leads())
    _show(tables, verdict, delta, as_json)


@dataclass
class Tables:
    """The tables of a comparison, played as they are asked for."""

    bots: Sequence[GivenBot]
    """A, B, and the field."""
    variant: str
    rules: Game
    boards: int
    seed: bytes
    make: MakePlayer
    quiet: bool
    level = "none"
    """Of a cage, as `arena.services.seating.Cage` has it; nothing is stored here."""

    def __post_init__(self) -> None:
        # Two can play alone, and of a solitaire everybody plays alone.
        others = range(2, len(self.bots)) if len(self.rules.teams) > 2 else ()
        self.field = list(others)
        self.kind = kind_of(self.rules.teams, 2)
        self.faults = [0] * len(self.bots)

    def leads(self) -> Iterator[tuple[int, int]]:
        """Of table after table, the half points of B less those of A, and the most that it could be."""
        number = 0
        while True:
            [table] = comparison(self.field, self.kind.places, number, 1)
            places = [Sitter(entry, self.bots[entry].name, self.bots[entry].source) for entry in table]
            seed = table_seed(self.seed, number)
            work = Work(0, self.variant, self.rules, self.boards, ROTATIONS, seed, places)
            result = play_work(work, self)
            for entry, faults in zip(table, result.faults, strict=True):
                self.faults[entry] += faults
            number += 1
            self._tell(number)
            yield result.half_points[table.index(1)] - result.half_points[table.index(0)], self.most

    @property
    def most(self) -> int:
        """The largest lead at a table, in half points."""
        return self.kind.most_half_points(self.boards)

    def player(self, source: bytes) -> Player:
        """A player for one of the bots."""
        return self.make(source, next(bot.file for bot in self.bots if bot.source == source))

    def inspect(self, source: bytes) -> Sequence[str] | None:
        """What it says it plays."""
        return inspect(source)

    def _tell(self, number: int) -> None:
        if not self.quiet:
            click.echo(f"\r{number} tables", nl=False, err=True)


def _house(rules: Game, taken: set[str]) -> list[str]:
    """The house bots that play the game, but for those that are compared."""
    return [name for name, path in HOUSE.items() if name not in taken and plays(inspect(path.read_bytes()), rules.id)]


def _show(tables: Tables, verdict: Verdict, delta: float, as_json: bool) -> None:
    names = {"a": tables.bots[0].name, "b": tables.bots[1].name}
    told = _told(tables, verdict, delta)
    if as_json:
        click.echo(json.dumps({**names, **told}))
        return
    click.echo("\r", nl=False, err=True)
    click.echo(SENTENCES[verdict.decision].format(**names, delta=delta))
    low, high = told["interval"] or (-1.0, 1.0)
    click.echo(
        f"Lead of {names['b']} at a table: {verdict.mean:+.1%} of the match points ({low:+.1%} to {high:+.1%}), "
        f"after {verdict.tables} tables of {told['matches'] // verdict.tables} matches."
    )
    click.echo(f"Log likelihood ratio {verdict.llr:+.2f}, bounds {verdict.lower:+.2f} and {verdict.upper:+.2f}.")
    for name, count in zip((bot.name for bot in tables.bots), tables.faults, strict=True):
        if count:
            click.echo(f"{name} failed in {count} matches.")


def _told(tables: Tables, verdict: Verdict, delta: float) -> dict[str, Any]:
    """The verdict as JSON has it."""
    matches = verdict.tables * tables.kind.count * tables.boards
    return {
        **verdict._asdict(), "interval": list(verdict.interval) if verdict.interval else None, "delta": delta,
        "variant": tables.variant, "matches": matches, "faults": tables.faults[:2],
    }  # fmt: skip
