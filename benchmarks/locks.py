"""Locks of write transactions and rows read in a large arena, beside one with a tenth of its history."""

import gc
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import select, text, update

from arena.db.models import Schedule, Table, Tournament
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.formats.plans import Plan, as_json
from arena.services.ladders import actions as ladders
from arena.services.ladders import pages as ladder_pages
from arena.services.numbers import home
from arena.services.play.table import PlayedMatch, TableResult, Work
from arena.services.queue import claims
from arena.services.queue.announcements import announce_more
from arena.services.ratings import strengths
from arena.services.ratings.fold import fold_all
from arena.services.schedules import runs
from arena.services.schedules.marks import mark
from arena.services.tournaments import actions, stages
from arena.services.tournaments import pages as tournament_pages
from arena.services.work import play
from arena.tournament.formats.ladder import WAITING
from arena.tournament.standings import half_points
from benchmarks.databases import databases
from benchmarks.engine import cpu
from benchmarks.plausible import VARIANT, Size, analyse, records, write
from benchmarks.results import NOTHING, digits
from benchmarks.results import Table as Shown
from benchmarks.watched import Lock, Watched

MATCHES: Final = int(os.environ.get("BENCH_MATCHES", "1_000_000"))
"""Number of matches in the history."""
BOTS: Final = 2000
SCHEDULES: Final = 1000
OPEN: Final = 100
"""Number of open tournaments."""
FIELD: Final = 8
"""Number of bots in each open tournament except the ladder, which has all."""
GOAL: Final = 0.1
"""Target for the longest lock, in seconds."""
LATEST: Final = 2_000_000_000.0
"""Time until which no schedule is due, in seconds since 1970."""
ORGANISER: Final = Account(1, "organiser", True)
GAUNTLET: Final = Plan("Gauntlet", VARIANT, format="gauntlet", shape={"rounds": 1, "challenger": 1})
"""Plan of a tournament of all bots."""


class Played:
    """An arena in use: performs each step some times."""

    def __init__(self, arena: Arena, watched: Watched, rounds: int) -> None:
        self.arena = replace(arena, database=watched)
        self.watched = watched
        self.rounds = rounds
        self.ladder = fill(arena)

    def run(self) -> None:
        """Perform all steps."""
        for number in range(self.rounds):
            for table_id in self._do("preparation", _queued, self.arena, self.ladder, number):
                self._table(table_id)
            self._ladder()
            self._sweep(number)
            self._starts(number)
            self._pages(number)

    def _do(self, step: str, do: Callable[..., Any], *given: Any) -> Any:
        self.watched.step = step
        return do(*given)

    def _table(self, table_id: int) -> None:
        claim = self._do("claim", claims.claim, self.arena, table_id, "benchmark")
        work = self._do("load", _load, self.arena, table_id)
        self._do("result", claims.submit, self.arena, claim, _result(work))
        self._do("next stage", stages.advance, self.arena, work.tournament)
        self._do("ratings", fold_all, self.arena)

    def _ladder(self) -> None:
        self._do("preparation", _fail, self.arena, self.ladder, WAITING // 2)
        resting = replace(self.arena, settings=replace(self.arena.settings, ladder_sigma=8.0))
        self._do("rest of a ladder", stages.advance, resting, self.ladder)
        self._do("sweep of a resting ladder", stages.advance, resting, self.ladder)
        self._do("tables of a ladder", stages.advance, self.arena, self.ladder)

    def _sweep(self, number: int) -> None:
        self._do("preparation", _make_due, self.arena, 3 * number)
        self._do("scheduled starts", runs.start_due, self.arena)
        self._do("expired leases", claims.expire, self.arena)
        self._do("all next stages", stages.advance_all, self.arena)
        self._do("announcement", announce_more, self.arena)
        self._do("strengths", strengths.refit, self.arena)

    def _starts(self, number: int) -> None:
        gauntlet = replace(GAUNTLET, name=f"Gauntlet {number}")
        chosen = tuple(range(1, 21))
        complete = Plan(f"Cup {number}", VARIANT, shape={"rounds": 1}, entry_rule="chosen", chosen=chosen)
        self._do("start of all bots", actions.create, self.arena, ORGANISER, gauntlet, True)
        self._do("start of many tables", actions.create, self.arena, ORGANISER, complete, True)

    def _pages(self, number: int) -> None:
        self._do("first page", home.home, self.arena)
        self._do("page of a tournament", tournament_pages.page, self.arena, number % OPEN + 11)
        self._do("page of the ladder", ladder_pages.ladder_page, self.arena, VARIANT)


def run(rounds: int, history: Sequence[int] = (MATCHES // 10, MATCHES)) -> list[Shown]:
    """Build an arena with each history on each database, use it, and return a table per database."""
    tables: dict[str, list[Watched]] = {}
    for matches in history:
        with databases() as opened:
            for name, arena in opened.items():
                watched = Watched(arena.settings.database_url)
                write(arena, Size(matches, BOTS))
                played = Played(arena, watched, rounds)
                gc.collect()
                gc.freeze()  # the generator's objects, which no process of an arena holds and collects
                played.run()
                watched.close()
                tables.setdefault(name, []).append(watched)
    return [about(name, history, both) for name, both in tables.items()]


def about(name: str, history: Sequence[int], watched: Sequence[Watched]) -> Shown:
    """Return a table with a row per step."""
    small, large = watched
    unit = "thousand steps" if large.engine.name == "sqlite" else "rows read"
    notes = (
        f"{history[1]:,} matches, {BOTS:,} bots, {OPEN} open tournaments, {SCHEDULES:,} schedules.\n"
        f"Longest write transaction, and the most that a transaction read. {cpu()}."
    )
    head = (
        name,
        "lock",
        "CPU",
        "target",
        "reached",
        f"{unit}, {history[0]:,} matches",
        f"{unit}, {history[1]:,} matches",
    )
    rows = [
        (step, *_lock(large.held[step]), *(_most(each.work[step], unit) for each in (small, large)))
        for step in large.work
        if step != "preparation"
    ]
    return Shown(f"Locks on {name}", notes, head, rows)


def _lock(held: Sequence[Lock]) -> tuple[str, str, str, str]:
    """Return the longest lock, its CPU time, and the target and whether it was reached."""
    if not held:
        return (NOTHING,) * 4
    longest = max(held)
    real, own = (f"{digits(1000 * seconds)} ms" for seconds in longest)
    return real, own, f"≤ {1000 * GOAL:g} ms", "yes" if longest.real <= GOAL else "no"


def _most(work: Sequence[int], unit: str) -> str:
    most = max(work, default=0)
    return f"{most / 1000:,.1f}" if unit != "rows read" else f"{most:,}"


def fill(arena: Arena) -> int:
    """Add schedules, open tournaments, and a ladder in which a million pairs have met. Returns the ladder's ID."""
    with arena.transaction() as session:
        for number in range(SCHEDULES):
            session.add(_schedule(number))
    for number in range(OPEN - 1):
        chosen = tuple((number * FIELD + bot) % BOTS + 1 for bot in range(FIELD))
        plan = Plan(f"Open {number}", VARIANT, shape={"rounds": 1}, entry_rule="chosen", chosen=chosen)
        actions.create(arena, ORGANISER, plan, True)
    ladder = ladders.start(arena, ORGANISER, VARIANT)
    with arena.transaction() as session:
        for statement in MEETINGS:
            session.execute(text(statement), {"ladder": ladder})
    analyse(arena)
    return ladder


MEETINGS: Final = (
    """
    INSERT INTO tournament_pairs (tournament_id, a, b, tables, h, n, hh, hn, nn, p)
    SELECT :ladder, x.id, y.id, 1, 1, 2, 1, 2, 4, 0 FROM versions x, versions y
    WHERE x.id < y.id AND (x.id + y.id) % 2 = 1
    """,
    """
    INSERT INTO tournament_neighbours (tournament_id, a, b, forward, backward)
    SELECT :ladder, x.number, y.number, 2, -1 FROM entries x, entries y
    WHERE x.tournament_id = :ladder AND y.tournament_id = :ladder
    AND x.number < y.number AND (x.number + y.number) % 2 = 1
    ON CONFLICT DO NOTHING
    """,
)
"""SQL for pairs that have met in the ladder, and for their places."""


def _schedule(number: int) -> Schedule:
    plan = replace(GAUNTLET, name=f"Nightly {number}")
    schedule = Schedule(
        name=plan.name, plan=as_json(plan), cron="*/5 * * * *", zone="Europe/Berlin", catch_up="once", created_by_id=1
    )
    mark(schedule, LATEST)
    return schedule


def _make_due(arena: Arena, first: int) -> None:
    """Make three schedules due."""
    with arena.transaction() as session:
        ids = session.scalars(select(Schedule.id).order_by(Schedule.id).offset(first).limit(3)).all()
        session.execute(update(Schedule).where(Schedule.id.in_(ids)).values(seen_until=1e9, due_at=0.0))


def _fail(arena: Arena, tournament_id: int, count: int) -> None:
    """Give up the first waiting tables of a tournament."""
    with arena.transaction() as session:
        here = (Table.tournament_id == tournament_id, Table.state == TableState.QUEUED)
        ids = session.scalars(select(Table.id).where(*here).order_by(Table.number).limit(count)).all()
        session.execute(update(Table).where(Table.id.in_(ids)).values(state=TableState.INFRA_FAILED))
        failed = Tournament.tables_failed + len(ids)
        session.execute(update(Tournament).where(Tournament.id == tournament_id).values(tables_failed=failed))


def _queued(arena: Arena, ladder: int, number: int) -> Sequence[int]:
    """Return the waiting table of this number in up to five open tournaments other than the ladder."""
    with arena.reading() as session:
        here = (Table.tournament_id < ladder, Table.state == TableState.QUEUED, Table.number == number)
        first = select(Table.id).where(*here)
        return session.scalars(first.order_by(Table.id).limit(5)).all()


def _load(arena: Arena, table_id: int) -> Work:
    with arena.reading() as session:
        return play.load(session, table_id)


def _result(work: Work) -> TableResult:
    """Return a result in which the places are ranked in order."""
    ranks = [place + 1 for place in range(len(work.places))]
    matches = []
    for number, (_, seating) in enumerate(work.kind.matches(work.boards)):
        seats = [_seat(work.places[place].version, ranks[place]) for place in seating]
        matches.append(PlayedMatch(records()[number], seats, "both"))
    points = [len(matches) * points for points in half_points(ranks)]
    return TableResult(matches, points, ranks, [0] * len(ranks))


def _seat(version: int, rank: int) -> dict[str, Any]:
    return {"version_id": version, "score": -rank, "rank": rank, "fault": None, "move": None, "cpu": 0.01,
            "memory": 10_000_000, "think": b"", "detail": "", "traceback": "", "output": "", "view": None}  # fmt: skip
