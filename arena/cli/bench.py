"""``arena bench``: measure a bot against others on duplicate tables."""

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from math import ceil
from statistics import fmean
from typing import Any

import click
from rich.console import Console
from rich.table import Table as Grid

from arena.cli.bots import MEASURED, cage_option, load_bot, room, seed_bytes, seed_option
from arena.cli.crew import OpenRoom, Setting, Table, jobs_option, play_all
from arena.cli.failures import Trouble, exit_code, first_failure, show_faults
from arena.cli.options import boards_option, chosen_variant, keep_going_option, variant_option
from arena.cli.progress import Line
from arena.games.base import Game
from arena.games.registry import VARIANTS, points_unit, rules_of
from arena.remote.texts import json_option
from arena.sdk.search import default_weights
from arena.settings import Settings, usable_cores
from arena.tournament.histogram import merged
from arena.tournament.intervals import Sums, of_mean
from arena.tournament.seatings import ROTATIONS
from arena.tournament.standings import half_points
from arena.tournament.tables import kind_of

OPPONENT = "greedy"
"""Opponent if none is named."""


@click.command()
@click.argument("bot", metavar="BOT")
@click.option(
    "--against",
    multiple=True,
    metavar="BOT",
    help=f"An opponent, repeatable; {OPPONENT} by default.",
    default=(OPPONENT,),
)
@variant_option
@click.option(
    "-n", "--matches", type=click.IntRange(1, 100_000), default=200, show_default=True, help="Matches, in whole tables."
)
@boards_option
@keep_going_option
@jobs_option
@json_option
@seed_option
@cage_option
def bench(
    bot: str,
    against: tuple[str, ...],
    variant: str,
    matches: int,
    boards: int | None,
    keep_going: bool,
    jobs: int | None,
    as_json: bool,
    seed: str,
    cage: bool | None,
) -> int:
    """Measure BOT, the name of a built-in bot or the path of a bot or program, against others on duplicate tables.

    A table plays the same deals once per seating, so that every bot holds every hand. Opponents fill the other places
    in turn. Shows points with their 95 % interval, results by seat, think times and failures. Ctrl-C shows the result
    so far.

    Exits with 1 if a bot failed.
    """
    settings, chosen = Settings.from_env(), chosen_variant(variant)
    rules = rules_of(chosen.id)
    bots = [load_bot(name, settings, programs=True) for name in (bot, *against)]
    with room("bench", bots, cage, settings) as tried:
        tried.require(bots, rules)
    setting = Setting(bots, chosen.id, rules, boards or chosen.boards, ROTATIONS, seed_bytes(seed))
    series = Series(setting, matches)
    jobs = jobs or usable_cores()
    series.run(
        lambda: room("bench", bots, cage, settings, bare=MEASURED, quiet=True),
        jobs,
        keep_going=keep_going,
        quiet=as_json,
    )
    if as_json:
        click.echo(json.dumps(series.fields()))
    else:
        series.show(Console())
    return exit_code(series.interrupted, series.failure)


@dataclass
class Series:
    """Tables of the first bot of a setting, with the others in turn as opponents."""

    setting: Setting
    wanted: int
    """Number of matches; the last table is played whole."""
    points: list[tuple[int, int]] = field(default_factory=list)
    """Half points of the bot, and the most possible, by table."""
    seats: dict[int, "SeatSums"] = field(default_factory=dict)
    leads: list[float] = field(default_factory=list)
    """Game points above the average of the other sides, by table, in the variant's unit; empty if it has none."""
    think: list[bytes] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    """Failed matches by bot."""
    most_cpu: float = 0.0
    failure: Trouble | None = None
    interrupted: bool = False
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.names = [bot.name for bot in self.setting.bots]
        self.kind = kind_of(self.setting.rules.teams, len(self.names), ROTATIONS)
        self.per_table = self.kind.count * self.setting.boards
        self.tables = ceil(self.wanted / self.per_table)

    def run(self, open_room: OpenRoom, jobs: int, *, keep_going: bool, quiet: bool) -> None:
        """Play all tables, or until a bot fails or Ctrl-C."""
        began = time.monotonic()
        with Line(self.tables, quiet=quiet) as line:
            try:
                for table in play_all(self.setting, open_room, self._tables(), min(jobs, self.tables)):
                    self._add(table)
                    self.seconds = time.monotonic() - began
                    line.update(len(self.points), self._progress())
                    if self.failure and not keep_going:
                        break
            except KeyboardInterrupt:
                self.interrupted = True

    def _tables(self) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield numbers and entries by place; the bot's place and its opponents change from table to table."""
        others = cycle(range(1, len(self.names)))
        for number in range(self.tables):
            entries = [0, *islice(others, self.kind.places - 1)]
            turn = number % len(entries)
            yield number, (*entries[turn:], *entries[:turn])

    def _add(self, table: Table) -> None:
        own = table.entries.index(0)
        self.points.append((table.result.half_points[own], self.kind.most_half_points(self.setting.boards)))
        self.failure = self.failure or first_failure(table, dict(enumerate(self.names)))
        if (over := VARIANTS[self.setting.variant].points_over) and len(self.setting.rules.teams) > 1:
            self.leads.append(fmean(_lead(self.setting.rules, played.seats) for played in table.result.matches) / over)
        for played in table.result.matches:
            for seat, columns in enumerate(played.seats):
                if columns["fault"]:
                    self.faults[self.names[columns["version_id"]]] += 1
                if columns["version_id"] == 0:
                    self.think.append(columns["think"])
                    self.most_cpu = max(self.most_cpu, columns["cpu"])
                    self.seats.setdefault(seat, SeatSums()).add(self.setting.rules, played.seats, seat)

    def _progress(self) -> str:
        return f"{len(self.points) * self.per_table} of {self.tables * self.per_table} matches: {self._share()}"

    def _share(self) -> str:
        sums = Sums.of(self.points)
        interval = sums.interval()
        return f"{sums.share():.1%}" + (f" ({interval.low:.1%} to {interval.high:.1%})" if interval else "")

    def fields(self) -> dict[str, Any]:
        """Return the result as JSON fields."""
        sums, think = Sums.of(self.points), merged(self.think)
        interval = sums.interval()
        return {
            "bot": self.names[0], "against": self.names[1:], "variant": self.setting.variant,
            "matches": sums.tables * self.per_table, "tables": sums.tables,
            "points": sums.share() if sums.tables else None, "interval": list(interval) if interval else None,
            "lead": fmean(self.leads) if self.leads else None, "lead_interval": of_mean(self.leads),
            "seats": {seat: one.fields() for seat, one in sorted(self.seats.items())},
            "think": {"decisions": think.times, "median": think.percentile(0.5), "p99": think.percentile(0.99),
                      "longest": think.percentile(1), "most_per_match": self.most_cpu},
            "faults": dict(self.faults), "seconds": round(self.seconds, 1), "interrupted": self.interrupted,
            "failure": self.failure._asdict() if self.failure else None,
        }  # fmt: skip

    def show(self, console: Console) -> None:
        """Print the result."""
        found, against = self.fields(), ", ".join(self.names[1:])
        if found["tables"]:
            click.echo(
                f"Points of {self.names[0]} against {against}: {self._share()} of the match points; 50 % is even. "
                f"{found['matches']} matches at {found['tables']} {'table' if found['tables'] == 1 else 'tables'} "
                f"in {self.seconds:.0f} s."
            )
        else:
            click.echo(f"No table of {self.names[0]} against {against} was finished.")
        if reach := found["lead_interval"]:
            lead, unit = f"{found['lead']:+.1f} ({reach[0]:+.1f} to {reach[1]:+.1f})", points_unit(self.setting.variant)
            click.echo(f"Game points per {unit} above the others: {lead}.")
        if len(self.seats) > 1:
            console.print(_grid(found["seats"]))
        self._show_times(found["think"])
        show_faults(self.faults.items(), self.failure)

    def _show_times(self, think: Mapping[str, Any]) -> None:
        if think["decisions"]:
            typical, slow, longest = (1000 * think[key] for key in ("median", "p99", "longest"))
            clock = chosen_variant(self.setting.variant).clock
            click.echo(
                f"CPU time of a decision: median {typical:.1f} ms, 99 % below {slow:.1f} ms, longest {longest:.1f} ms. "
                f"Most in a match: {self.most_cpu:.2f} s; the bank is {clock.bank:g} s and "
                f"{clock.increment:g} s for each of {clock.paid} decisions."
            )


@dataclass
class SeatSums:
    """Sums of a bot's matches in one seat."""

    matches: int = 0
    half_points: int = 0
    most: int = 0
    score: int = 0

    def add(self, rules: Game, seats: Sequence[Mapping[str, Any]], seat: int) -> None:
        """Add a match, given the columns of its seats."""
        ranks = [seats[team[0]]["rank"] for team in rules.teams]
        [team] = (number for number, team in enumerate(rules.teams) if seat in team)
        self.matches += 1
        self.half_points += half_points(ranks)[team]
        self.most += 2 * (len(ranks) - 1)
        self.score += seats[seat]["score"]

    def fields(self) -> dict[str, Any]:
        """Return matches, points as a fraction, and the mean score."""
        points = self.half_points / self.most if self.most else None
        return {"matches": self.matches, "points": points, "score": self.score / self.matches}


def _lead(rules: Game, seats: Sequence[Mapping[str, Any]]) -> float:
    """Return the game points of the first bot's side in a match above the average of the other sides."""
    own = next(seat for seat, columns in enumerate(seats) if columns["version_id"] == 0)
    weights = default_weights(rules, own)
    lead: float = sum(weight * columns["score"] for weight, columns in zip(weights, seats, strict=True))
    return lead


def _grid(seats: Mapping[int, Mapping[str, Any]]) -> Grid:
    grid = Grid("seat", "matches", "points", "mean score")
    for seat, one in seats.items():
        grid.add_row(str(seat), str(one["matches"]), f"{one['points']:.1%}", f"{one['score']:.1f}")
    return grid
