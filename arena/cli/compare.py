"""``arena compare``: decide whether one bot is better than another, locally and without a server."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import isnan
from typing import Any

import click

from arena.cli.bots import MEASURED, cage_option, house_bots, load_bot, room, seed_bytes, seed_option
from arena.cli.crew import OpenRoom, Setting, jobs_option, play_all
from arena.cli.failures import Trouble, exit_code, first_failure, show_faults
from arena.cli.leads import Lead, Leads
from arena.cli.options import boards_option, chosen_variant, keep_going_option, variant_option
from arena.cli.progress import Line
from arena.games.registry import rules_of
from arena.remote.texts import json_option
from arena.settings import Settings, usable_cores
from arena.tournament.circles import Circles
from arena.tournament.formats import comparison
from arena.tournament.seatings import BOTH, kept
from arena.tournament.sequential import Answer, SequentialTest, Step
from arena.tournament.tables import kind_of

SENTENCES = {
    "better": "{b} is better than {a}.",
    "not better": "{b} is not better than {a} by a lead of {delta:.1%}.",
    "ahead": "{b} leads {a}, but {tables} tables are too few to be certain: allow more (--most).",
    "behind": "{b} is behind {a}, but {tables} tables are too few to be certain: allow more (--most).",
    "undecided": "No answer yet whether {b} is better than {a}: allow more tables (--most).",
    "failed": "No answer whether {b} is better than {a}: {failed} failed. Mend it, or add --keep-going.",
    "faulty": "No answer whether {b} is better than {a}: {failed} failed too often. Mend it first.",
    "interrupted": "Interrupted before an answer. The same command with --resume goes on from here.",
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
@variant_option
@click.option(
    "--field", multiple=True, metavar="BOT", help="Another bot at the tables, repeatable; house bots by default."
)
@click.option(
    "--delta",
    type=FiniteRange(comparison.MIN_DELTA, comparison.MAX_DELTA),
    default=comparison.DEFAULT_DELTA,
    show_default=True,
    help="The lead of B that counts as better, as a fraction of a table's match points.",
)
@click.option(
    "--most",
    type=click.IntRange(comparison.MIN_TABLES, comparison.MAX_TABLES),
    default=comparison.DEFAULT_TABLES,
    show_default=True,
    help="Stop without an answer after this many tables. Each plays both orders of A and B on the same deals.",
)
@boards_option
@click.option("--resume", is_flag=True, help="Go on from the tables of the same comparison, interrupted or finished.")
@keep_going_option
@jobs_option
@json_option
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
    resume: bool,
    keep_going: bool,
    jobs: int | None,
    as_json: bool,
    seed: str,
    cage: bool | None,
) -> int:
    """Decide whether bot B is better than bot A: names of built-in bots, or paths of bots or programs.

    Both sit at every table, with others from the field. A table plays the same deals under every seating, and again
    with A and B exchanged, so luck is the same for both. The comparison stops when the answer is clear (a sequential
    test; see the docs on statistics), or when a bot fails. Ctrl-C shows the result so far.

    Exits with 1 if a bot failed.
    """
    settings, chosen = Settings.from_env(), chosen_variant(variant)
    rules, test = rules_of(chosen.id), SequentialTest(delta=delta, most_tables=most)
    if most < (fewest := comparison.fewest_tables(delta)):
        raise click.UsageError(f"--most {most} is too few: with --delta {delta:g} it must be {fewest} or more")
    others = [name for name in house_bots(rules) if name not in (a, b)]
    bots = [load_bot(name, settings, programs=True) for name in (a, b, *(field or others))]
    if len(bots) < len(rules.teams):
        raise click.UsageError(f"a table of {chosen.id} seats {len(rules.teams)}: name more bots with --field")
    with room("compare", bots, cage, settings) as tried:
        tried.require(bots, rules)
    setting = Setting(bots, chosen.id, rules, boards or chosen.boards, BOTH, seed_bytes(seed))
    contest = Contest(
        setting,
        test,
        lambda: room("compare", bots, cage, settings, bare=MEASURED, quiet=True),
        jobs or usable_cores(),
        keep_going,
    )
    contest.run(Leads(setting, resume=resume), quiet=as_json)
    contest.show(as_json)
    return exit_code(contest.interrupted, contest.failure)


@dataclass
class Contest:
    """A comparison of the first two bots of a setting; the others are the field."""

    setting: Setting
    test: SequentialTest
    open_room: OpenRoom
    jobs: int
    keep_going: bool
    steps: list[Step] = field(default_factory=list)
    faults: list[int] = field(default_factory=list)
    """Matches with a fault, by bot."""
    failure: Trouble | None = None
    interrupted: bool = False

    def __post_init__(self) -> None:
        self.names = [bot.name for bot in self.setting.bots]
        self.faults = [0] * len(self.names)
        # Two bots need no others, and in a solitaire each bot plays alone.
        self.field = range(2, len(self.names)) if len(self.setting.rules.teams) > 2 else range(0)
        self.kind = kind_of(self.setting.rules.teams, 2, BOTH)
        self.most = self.kind.most_half_points(self.setting.boards)

    @property
    def answer(self) -> Answer:
        """State of the test."""
        return self.test.answer(self.steps)

    def run(self, leads: Leads, *, quiet: bool) -> None:
        """Play until there is an answer, a bot fails, or Ctrl-C."""
        with Line(self.test.most_tables, quiet=quiet) as line:
            try:
                for step in self.test.steps(self._leads(leads)):
                    self.steps.append(step)
                    line.update(len(self.steps), self._progress())
            except KeyboardInterrupt:
                self.interrupted = True

    def _leads(self, leads: Leads) -> Iterator[tuple[int, int]]:
        """Yield the leads of B of the tables played before, then of new ones."""
        for lead in leads.earlier:
            yield self._count(lead)
        tables = self._tables(len(leads.earlier))
        for table in play_all(self.setting, self.open_room, tables, self.jobs):
            points, entries = table.result.half_points, list(table.entries)
            failed = first_failure(table, dict(enumerate(self.names)))
            self.failure = self.failure or failed
            if failed and not self.keep_going:
                self._add_faults(dict(zip(entries, table.result.faults, strict=True)))
                return
            lead = Lead(
                points[entries.index(1)] - points[entries.index(0)],
                dict(zip(entries, table.result.faults, strict=True)),
            )
            leads.add(lead)
            yield self._count(lead)

    def _tables(self, start: int) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield numbers and entries by place from table `start` on. Every place depends on all tables before."""
        circles = Circles(self.setting.seed, kept(BOTH))
        for number in count():
            [entries] = comparison.tables(self.field, self.kind.places, number, 1)
            seated = circles.seat(number, entries)
            if number >= start:
                yield number, seated

    def _count(self, lead: Lead) -> tuple[int, int]:
        self._add_faults(lead.faults)
        return lead.half_points, self.most

    def _add_faults(self, faults: Mapping[int, int]) -> None:
        for entry, number in faults.items():
            self.faults[entry] += number

    def _progress(self) -> str:
        a, b, *_ = self.names
        return f"{len(self.steps)} of at most {self.test.most_tables} tables: {b} against {a} {_lead(self.answer)}"

    def show(self, as_json: bool) -> None:
        """Print the result."""
        answer = self.answer
        if as_json:
            click.echo(json.dumps(self._fields(answer)))
            return
        click.echo(self._sentence(answer))
        if answer.tables:
            click.echo(
                f"Lead of {self.names[1]} per table: {_lead(answer)} of the match points, "
                f"after {answer.tables} tables of {self.kind.count * self.setting.boards} matches."
            )
            click.echo(f"Evidence {answer.llr:+.2f}; {answer.upper:+.2f} means better, {answer.lower:+.2f} not better.")
        show_faults(zip(self.names, self.faults, strict=True), self.failure)

    def _sentence(self, answer: Answer) -> str:
        a, b, *_ = self.names
        failed = (
            self.failure.name
            if self.failure
            else next((n for n, f in zip(self.names, self.faults, strict=True) if f), "")
        )
        return SENTENCES[self._outcome(answer)].format(
            a=a, b=b, delta=self.test.delta, tables=answer.tables, failed=failed
        )

    def _outcome(self, answer: Answer) -> str:
        """Return the key of the sentence that says how the comparison ended."""
        if answer.decision in ("better", "not better"):
            return answer.decision
        if self.interrupted:
            return "interrupted"
        if self.failure and not self.keep_going:
            return "failed"
        if any(2 * faults > answer.tables * self.kind.own_matches(self.setting.boards) for faults in self.faults[:2]):
            return "faulty"
        low, high = answer.interval or (-1.0, 1.0)
        return "ahead" if low > 0 else "behind" if high < 0 else "undecided"

    def _fields(self, answer: Answer) -> dict[str, Any]:
        """Return the result as JSON fields."""
        a, b, *_ = self.names
        return {
            "a": a, "b": b, **answer._asdict(), "interval": list(answer.interval) if answer.interval else None,
            "delta": self.test.delta, "variant": self.setting.variant,
            "matches": answer.tables * self.kind.count * self.setting.boards, "faults": self.faults[:2],
            "interrupted": self.interrupted, "failure": self.failure._asdict() if self.failure else None,
        }  # fmt: skip


def _lead(answer: Answer) -> str:
    """Return the mean lead with its interval."""
    low, high = answer.interval or (-1.0, 1.0)
    return f"{answer.mean or 0:+.1%} ({low:+.1%} to {high:+.1%})"
