"""``arena compare``: decide whether one bot is better than another, locally and without a server."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import click

from arena.cli.bots import MakePlayer, NamedBot, cage_option, load_bot, players, seed_bytes, seed_option
from arena.games.base import Game
from arena.games.chance import table_seed
from arena.games.errors import OptionError
from arena.games.registry import DEFAULT_VARIANT, rules_of
from arena.sdk.local import inspect
from arena.sdk.player import Player
from arena.services.base.repertoire import plays
from arena.services.comparisons.actions import (
    DEFAULT_DELTA,
    DEFAULT_TABLES,
    MAX_DELTA,
    MAX_TABLES,
    MIN_DELTA,
    MIN_TABLES,
)
from arena.services.formats.plans import boards_of
from arena.services.work.play import Work, play_work
from arena.services.work.seats import Sitter
from arena.settings import Settings
from arena.tournament.circles import Circles
from arena.tournament.formats import comparison
from arena.tournament.seatings import BOTH, kept
from arena.tournament.sequential import Answer, SequentialTest
from arena.tournament.tables import kind_of
from bots import HOUSE

SENTENCES = {
    "better": "{b} is better than {a}.",
    "not better": "{b} is not better than {a} by a lead of {delta:.1%}.",
    "undecided": "No answer yet whether {b} is better than {a}: allow more tables (--most).",
}


class FiniteRange(click.FloatRange):
    """A float range that rejects "nan", which Click accepts in every range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value!r} is not a valid float.", param, ctx)
        return number


@click.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--variant", default=DEFAULT_VARIANT, show_default=True, help="The variant to play.")
@click.option(
    "--field", multiple=True, metavar="BOT", help="Another bot at the tables, repeatable; house bots by default."
)
@click.option(
    "--delta",
    type=FiniteRange(MIN_DELTA, MAX_DELTA),
    default=DEFAULT_DELTA,
    show_default=True,
    help="The lead of B that counts as better, as a fraction of a table's match points.",
)
@click.option(
    "--most",
    type=click.IntRange(MIN_TABLES, MAX_TABLES),
    default=DEFAULT_TABLES,
    show_default=True,
    help="Stop without an answer after this many tables. Each plays both orders of A and B on the same deals.",
)
@click.option(
    "--boards", type=click.IntRange(1, 100), help="Sets of boards per table; the variant's number by default."
)
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
    """Decide whether bot B is better than bot A: names of built-in bots, or paths of bots.

    Both sit at every table, with others from the field. A table plays the same deals under every seating, and again
    with A and B exchanged, so luck is the same for both. The comparison stops when the answer is clear (a sequential
    test; see the docs on statistics).
    """
    settings = Settings.from_env()
    try:
        rules, sets = rules_of(variant), boards_of(variant, boards)
    except OptionError as error:
        raise click.UsageError(str(error)) from None
    bots = [load_bot(name, settings) for name in (a, b, *(field or _house(rules, {a, b})))]
    if len(bots) < len(rules.teams):
        raise click.UsageError(f"a table of {variant} seats {len(rules.teams)}: name more bots with --field")
    with players("compare", bots, cage, settings) as player:
        tables = Tables(bots, variant, rules, sets, seed_bytes(seed), player, quiet=as_json)
        verdict = SequentialTest(delta=delta, most_tables=most).state(tables.leads())
    _show(tables, verdict, delta, as_json)


@dataclass
class Tables:
    """The tables of a comparison, played on demand."""

    bots: Sequence[NamedBot]
    """A, B, and the field."""
    variant: str
    rules: Game
    boards: int
    seed: bytes
    make: MakePlayer
    quiet: bool
    level = "none"
    """Level of a cage, as in `arena.services.work.seats.Cage`; nothing is stored here."""

    def __post_init__(self) -> None:
        # Two bots need no others, and in a solitaire each bot plays alone.
        others = range(2, len(self.bots)) if len(self.rules.teams) > 2 else ()
        self.field = list(others)
        self.kind = kind_of(self.rules.teams, 2, BOTH)
        self.circles = Circles(self.seed, kept(BOTH))
        self.faults = [0] * len(self.bots)

    def leads(self) -> Iterator[tuple[int, int]]:
        """Yield for each table B's half points minus A's, and the largest possible difference."""
        number = 0
        while True:
            [entries] = comparison.tables(self.field, self.kind.places, number, 1)
            table = self.circles.seat(number, entries)
            places = [Sitter(entry, self.bots[entry].name, self.bots[entry].source) for entry in table]
            seed = table_seed(self.seed, number)
            work = Work(0, self.variant, self.rules, self.boards, BOTH, seed, places)
            result = play_work(work, self)
            for entry, faults in zip(table, result.faults, strict=True):
                self.faults[entry] += faults
            number += 1
            self._show_progress(number)
            yield result.half_points[table.index(1)] - result.half_points[table.index(0)], self.most

    @property
    def most(self) -> int:
        """Largest possible lead at a table, in half points."""
        return self.kind.most_half_points(self.boards)

    def player(self, source: bytes, *, seat: int) -> Player:
        """Return a player for one of the bots."""
        return self.make(source, next(bot.file for bot in self.bots if bot.source == source), seat=seat)

    def inspect(self, source: bytes) -> Sequence[str] | None:
        """Return the games that a bot declares."""
        return inspect(source)

    def _show_progress(self, number: int) -> None:
        if not self.quiet:
            click.echo(f"\r{number} tables", nl=False, err=True)


def _house(rules: Game, taken: set[str]) -> list[str]:
    """Return the house bots that play the game, except those being compared."""
    return [name for name, path in HOUSE.items() if name not in taken and plays(inspect(path.read_bytes()), rules.id)]


def _show(tables: Tables, verdict: Answer, delta: float, as_json: bool) -> None:
    names = {"a": tables.bots[0].name, "b": tables.bots[1].name}
    fields = _fields(tables, verdict, delta)
    if as_json:
        click.echo(json.dumps({**names, **fields}))
        return
    click.echo("\r", nl=False, err=True)
    click.echo(SENTENCES[verdict.decision].format(**names, delta=delta))
    low, high = fields["interval"] or (-1.0, 1.0)
    click.echo(
        f"Lead of {names['b']} per table: {verdict.mean:+.1%} of the match points ({low:+.1%} to {high:+.1%}), "
        f"after {verdict.tables} tables of {fields['matches'] // verdict.tables} matches."
    )
    click.echo(f"Evidence {verdict.llr:+.2f}; {verdict.upper:+.2f} means better, {verdict.lower:+.2f} not better.")
    for name, count in zip((bot.name for bot in tables.bots), tables.faults, strict=True):
        if count:
            click.echo(f"{name} failed in {count} matches.")


def _fields(tables: Tables, verdict: Answer, delta: float) -> dict[str, Any]:
    """Return the verdict as JSON fields."""
    matches = verdict.tables * tables.kind.count * tables.boards
    return {
        **verdict._asdict(), "interval": list(verdict.interval) if verdict.interval else None, "delta": delta,
        "variant": tables.variant, "matches": matches, "faults": tables.faults[:2],
    }  # fmt: skip
