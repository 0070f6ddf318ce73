"""What an arena in use does reads no more if only its history is longer."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import select, text, update

from arena.db.models import Schedule, Table, Tournament
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.base.states import TableState
from arena.services.formats.plans import Plan, as_json
from arena.services.ladders import actions as ladders
from arena.services.ladders import pages as ladder_pages
from arena.services.numbers import home
from arena.services.play.table import PlayedMatch, TableResult, Work
from arena.services.queue import claims
from arena.services.queue.announcements import announce_more
from arena.services.ratings.fold import fold_all
from arena.services.schedules import runs
from arena.services.schedules.runs import mark
from arena.services.tournaments import actions, stages
from arena.services.tournaments import pages as tournament_pages
from arena.services.work import play
from arena.tournament.formats.ladder import WAITING
from arena.tournament.standings import half_points
from benchmarks.plausible import VARIANT, Size, analyse, records, write
from tests import factories
from tests.costs import measured

HISTORY = (400, 8000)
BOTS, FIELD = 21, 5
NOISE = 2000
"""Steps of SQLite's virtual machine by which equal work may differ."""
ORGANISER = Account(1, "organiser", True)
GAUNTLET = Plan("Gauntlet", VARIANT, format="gauntlet", shape={"rounds": 1, "challenger": 1})
MEETINGS = """
    INSERT INTO tournament_pairs (tournament_id, a, b, tables, h, n, hh, hn, nn, p)
    SELECT :ladder, x.id, y.id, 1, 1, 2, 1, 2, 4, 0 FROM versions x, versions y
    WHERE x.id < y.id AND (x.id + y.id) % 2 = 1
"""


def test_longer_history_is_not_read(tmp_path: Path, sqlite_template: Path) -> None:
    """With twenty times the history, every step reads as much. Fits of strengths read every pair, and are left out."""
    work = []
    for matches in HISTORY:
        home = tmp_path / str(matches)
        home.mkdir()
        shutil.copy(sqlite_template, home / "arena.db")
        arena = open_arena(factories.settings_in(home))
        write(arena, Size(matches, BOTS))
        work.append(dict(steps(arena, in_use(arena))))
        arena.close()

    before, after = work
    assert {step: spent for step, spent in after.items() if spent > before[step] + NOISE} == {}
    assert all(spent for step, spent in after.items() if step != "expired leases")


def in_use(arena: Arena) -> int:
    """Add due schedules, open tournaments and a ladder in which half of all pairs have met. Returns the ladder's ID."""
    with arena.transaction() as session:
        for number in range(3):
            plan = replace(GAUNTLET, name=f"Nightly {number}")
            schedule = Schedule(name=plan.name, plan=as_json(plan), cron="*/5 * * * *", zone="Europe/Berlin",
                                catch_up="once", created_by_id=1)  # fmt: skip
            mark(schedule, 1e9)
            session.add(schedule)
    for number in range(2):
        chosen = tuple((number * FIELD + bot) % BOTS + 1 for bot in range(FIELD))
        plan = Plan(f"Open {number}", VARIANT, shape={"rounds": 1}, entry_rule="chosen", chosen=chosen)
        actions.create(arena, ORGANISER, plan, True)
    ladder = ladders.start(arena, ORGANISER, VARIANT)
    with arena.transaction() as session:
        session.execute(text(MEETINGS), {"ladder": ladder})
    analyse(arena)
    return ladder


def steps(arena: Arena, ladder: int) -> Iterator[tuple[str, int]]:
    """Perform each step once, and yield its name and the steps of SQLite's virtual machine that it took."""

    def cost(name: str, do: Any) -> tuple[str, int]:
        with measured(arena) as spent:
            do()
        return name, spent.steps

    with arena.reading() as session:
        here = (Table.tournament_id < ladder, Table.state == TableState.QUEUED)
        table = session.scalars(select(Table.id).where(*here).order_by(Table.id)).first()
        assert table
        work = play.load(session, table)
    with measured(arena) as spent:
        claim = claims.claim(arena, table, "test")
    assert claim
    yield "claim", spent.steps
    yield cost("load", partial(load, arena, table))
    yield cost("result", partial(claims.submit, arena, claim, result(work)))
    yield cost("next stage", partial(stages.advance, arena, work.tournament))
    yield cost("ratings", partial(fold_all, arena))
    give_up(arena, ladder, WAITING // 2)
    resting = replace(arena, settings=replace(arena.settings, ladder_sigma=8.0))
    yield cost("rest of a ladder", partial(stages.advance, resting, ladder))
    yield cost("sweep of a resting ladder", partial(stages.advance, resting, ladder))
    yield cost("tables of a ladder", partial(stages.advance, arena, ladder))
    yield cost("scheduled starts", partial(runs.start_due, arena))
    yield cost("expired leases", partial(claims.expire, arena))
    yield cost("all next stages", partial(stages.advance_all, arena))
    yield cost("announcement", partial(announce_more, arena))
    complete = Plan("Cup", VARIANT, shape={"rounds": 1}, entry_rule="chosen", chosen=tuple(range(1, 21)))
    yield cost("start of all bots", partial(actions.create, arena, ORGANISER, GAUNTLET, True))
    yield cost("start of many tables", partial(actions.create, arena, ORGANISER, complete, True))
    yield cost("first page", partial(home.home, arena))
    yield cost("page of a tournament", partial(tournament_pages.page, arena, work.tournament))
    yield cost("page of the ladder", partial(ladder_pages.ladder_page, arena, VARIANT))


def load(arena: Arena, table: int) -> Work:
    """Read what a worker needs to play a table."""
    with arena.reading() as session:
        return play.load(session, table)


def give_up(arena: Arena, tournament: int, count: int) -> None:
    """Give up the first waiting tables of a tournament, so that others are due."""
    with arena.transaction() as session:
        here = (Table.tournament_id == tournament, Table.state == TableState.QUEUED)
        ids = session.scalars(select(Table.id).where(*here).order_by(Table.number).limit(count)).all()
        session.execute(update(Table).where(Table.id.in_(ids)).values(state=TableState.INFRA_FAILED))
        failed = Tournament.tables_failed + len(ids)
        session.execute(update(Tournament).where(Tournament.id == tournament).values(tables_failed=failed))


def result(work: Work) -> TableResult:
    """Return a result in which the places are ranked in order."""
    ranks = [place + 1 for place in range(len(work.places))]
    matches = [
        PlayedMatch(records()[number], [seat(work.places[place].version, ranks[place]) for place in seating], "both")
        for number, (_, seating) in enumerate(work.kind.matches(work.boards))
    ]
    points = [len(matches) * points for points in half_points(ranks)]
    return TableResult(matches, points, ranks, [0] * len(ranks))


def seat(version: int, rank: int) -> dict[str, Any]:
    """Return the result of a seat."""
    return {"version_id": version, "score": -rank, "rank": rank, "fault": None, "move": None, "cpu": 0.01,
            "memory": 10_000_000, "think": b"", "detail": "", "traceback": "", "output": "", "view": None}  # fmt: skip
