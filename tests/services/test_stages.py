"""Swiss tournaments and knockouts: stage after stage, each from the results of the one before."""

import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from arena.db.models import Table, Version
from arena.games.errors import Refused
from arena.services import (
    bots,
    fold,
    fsck,
    notices,
    queue,
    rejudging,
    stage_pages,
    stages,
    sweep,
    tournament_pages,
    tournaments,
    withdrawals,
)
from arena.services.context import Arena, open_arena
from arena.services.plans import Plan
from arena.services.shapes import Account, TournamentPage
from tests import factories
from tests.services.test_play import result_of
from tests.services.test_setting_aside import outs, rated, records, states

PARTNERS = "suitability-4-partners"
SWISS = Plan("swiss", PARTNERS, "swiss", {"rounds": 3}, boards=1)
KNOCKOUT = Plan("knockout", PARTNERS, "knockout", {"advance": 1}, boards=1)


def start(arena: Arena, admin: Account, plan: Plan, versions: Sequence[int]) -> int:
    """A running tournament of these versions; its id."""
    with arena.transaction() as session:
        return stages.start(session, plan, versions, admin.id, seed=factories.SEED)


def waiting(arena: Arena, tournament_id: int) -> list[int]:
    """The tables that wait, by number."""
    with arena.reading() as session:
        here = (Table.tournament_id == tournament_id, Table.state == "queued")
        return list(session.scalars(select(Table.id).where(*here).order_by(Table.number)))


def hand_in(arena: Arena, tournament_id: int, tables: Sequence[int] | None = None) -> TournamentPage:
    """At these tables, or all that wait, the better seed wins, by results that are made up."""
    for table in tables or waiting(arena, tournament_id):
        claim = queue.claim(arena, table, "tester")
        assert claim
        queue.submit(arena, claim, queue.TableResult([], [4, 0], [1, 2], [0, 0]))
    stages.advance(arena, tournament_id)
    return tournament_pages.page(arena, tournament_id)


def seatings(page: TournamentPage) -> list[list[tuple[str, ...]]]:
    """By stage, who met at its tables."""
    return [[tuple(place.bot for place in table.places) for table in stage.tables] for stage in page.stages]


def test_a_swiss_tournament_pairs_who_stand_alike(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody meets the same bot again or sits out twice, and to sit out costs nothing."""
    cup = start(arena, admin, SWISS, factories.field_of(arena, admin, 5))
    assert states(arena, cup) == ["queued", "queued"]
    assert tournament_pages.page(arena, cup).stages[0].title == "Round 1"

    hand_in(arena, cup)
    hand_in(arena, cup)
    page = hand_in(arena, cup)

    assert (page.row.state, page.row.tables_total) == ("finished", 6)
    met = [table for stage in seatings(page) for table in stage]
    assert len(met) == len(set(met)) == 6
    byes = [entry.bot for stage in page.stages for entry in stage.byes]
    assert len(byes) == len(set(byes)) == 3
    assert {row.bot: row.sat_out for row in page.standings} == {f"bot-{n}": byes.count(f"bot-{n}") for n in range(5)}
    assert page.standings[0].bot == "bot-0"
    monkeypatch.setattr(stage_pages, "SHOWN", 3)  # of many rounds a page lists the tables of the latest
    assert [len(tables) for tables in seatings(tournament_pages.page(arena, cup))] == [0, 0, 2]
    assert [row.share for row in page.standings] == sorted((row.share for row in page.standings), reverse=True)  # type: ignore[type-var]


def test_a_knockout_sends_home_all_but_one(arena: Arena, admin: Account) -> None:
    """The best seed of seven has a bye; who wins goes on, and how far they came is their rank."""
    versions = factories.field_of(arena, admin, 7)
    cup = start(arena, admin, KNOCKOUT, versions)
    page = tournament_pages.page(arena, cup)
    assert [(entry.bot, entry.number) for entry in page.stages[0].byes] == [("bot-0", 0)]
    assert page.stages[0].through == frozenset()

    page = hand_in(arena, cup)
    assert page.stages[0].through == {versions[1], versions[2], versions[3]}
    assert [row.reached for row in page.standings] == [1, 1, 1, 1, 0, 0, 0]
    hand_in(arena, cup)
    page = hand_in(arena, cup)

    assert (page.row.state, page.row.tables_total) == ("finished", 6)
    assert [stage.title for stage in page.stages] == ["Stage 1", "Stage 2", "Final"]
    assert seatings(page)[2] == [("bot-0", "bot-1")]
    assert [(row.bot, row.rank, row.reached) for row in page.standings[:3]] == [
        ("bot-0", 1, 2), ("bot-1", 2, 2), ("bot-2", 3, 1),
    ]  # fmt: skip
    assert [row.rank for row in page.standings] == [1, 2, 3, 3, 5, 5, 5]
    assert sorted(outs(page)) == versions[2:]


def test_in_a_knockout_the_next_in_rank_goes_on_for_who_was_withdrawn(arena: Arena, admin: Account) -> None:
    """Its table is played to the end first, and a bot that is switched off goes home as well."""
    versions = factories.field_of(arena, admin, 8)
    cup = start(arena, admin, KNOCKOUT, versions)
    first, *others = waiting(arena, cup)
    hand_in(arena, cup, others)
    assert seatings(tournament_pages.page(arena, cup)) == [
        [("bot-0", "bot-7"), ("bot-1", "bot-6"), ("bot-2", "bot-5"), ("bot-3", "bot-4")]
    ]
    withdrawals.withdraw(arena, admin, cup, versions[0], "it is broken")
    with arena.reading() as session:
        switched = session.get_one(Version, versions[1]).bot_id
    bots.set_active(arena, admin, switched, False)
    assert len(waiting(arena, cup)) == 1

    page = hand_in(arena, cup, [first])

    assert {entry for table in seatings(page)[1] for entry in table} == {"bot-7", "bot-6", "bot-2", "bot-3"}
    assert outs(page)[versions[0]] == ("withdrawn", 3)
    assert outs(page)[versions[1]] == ("deactivated", 3)
    for version in versions[2:4]:
        withdrawals.withdraw(arena, admin, cup, version, "all are broken")
    page = hand_in(arena, cup)
    assert {entry for table in seatings(page)[2] for entry in table} == {"bot-7", "bot-6"}
    withdrawals.withdraw(arena, admin, cup, versions[7], "this one, too")
    page = hand_in(arena, cup)
    assert page.row.state == "finished"


def test_a_swiss_tournament_goes_on_without_who_was_withdrawn(arena: Arena, admin: Account) -> None:
    """Its table is cancelled, its opponent has sat out, and with too few bots left the tournament is over."""
    versions = factories.field_of(arena, admin, 4)
    cup = start(arena, admin, SWISS, versions)
    withdrawals.withdraw(arena, admin, cup, versions[0], "it is broken")
    assert states(arena, cup) == ["cancelled", "queued"]
    with arena.reading() as session:
        switched = session.get_one(Version, versions[1]).bot_id
    bots.set_active(arena, admin, switched, False)

    page = hand_in(arena, cup)
    assert (seatings(page)[1], page.stages[1].byes) == ([("bot-2", "bot-3")], ())
    assert {row.bot: row.sat_out for row in page.standings}["bot-3"] == 1
    withdrawals.withdraw(arena, admin, cup, versions[2], "it is broken")
    stages.advance(arena, cup)

    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.tables_done, page.row.tables_cancelled) == ("finished", 1, 2)
    assert sorted(outs(page)) == versions[:3]


def test_a_knockout_waits_for_a_table_that_could_not_be_played(arena: Arena, admin: Account) -> None:
    """It pauses and tells why; judged again and resumed it goes on."""
    cup = start(arena, admin, KNOCKOUT, factories.field_of(arena, admin, 4))
    table, other = waiting(arena, cup)
    hand_in(arena, cup, [other])
    for _ in range(queue.ATTEMPTS):
        factories.due_now(arena)
        claim = queue.claim(arena, table, "tester")
        assert claim
        queue.give_back(arena, claim, "as the test says")

    sweep.tick(arena)
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.tables_total) == ("paused", 2)
    assert "Table 1 could not be played" in str(page.row.problem)
    tournaments.resume(arena, admin, cup)
    assert tournament_pages.page(arena, cup).row.state == "paused"
    assert len(notices.of(arena, admin)) == 2

    rejudging.rejudge(arena, admin, cup, "the machine was broken", table_number=0)
    tournaments.resume(arena, admin, cup)
    page = hand_in(arena, cup)
    assert (page.row.state, page.row.problem, page.row.tables_total) == ("running", None, 3)


def test_only_the_latest_round_is_judged_again_by_itself(arena: Arena, admin: Account) -> None:
    """The whole tournament goes back to its first round, and draws the others anew."""
    versions = factories.field_of(arena, admin, 4)
    cup = start(arena, admin, KNOCKOUT, versions)
    hand_in(arena, cup)
    for tables in ({"table_number": 0}, {"version_id": versions[3]}):
        with pytest.raises(Refused, match="Round 2 has been drawn from the results of round 1"):
            rejudging.rejudge(arena, admin, cup, "a doubt", **tables)
    hand_in(arena, cup)
    assert rejudging.rejudge(arena, admin, cup, "a doubt", table_number=2) == 1
    assert tournament_pages.page(arena, cup).row.state == "running"
    hand_in(arena, cup)

    assert rejudging.rejudge(arena, admin, cup, "all is in doubt") == 2

    page = tournament_pages.page(arena, cup)
    assert (states(arena, cup), outs(page), len(page.stages)) == (["queued", "queued", "cancelled"], {}, 1)
    hand_in(arena, cup)
    page = hand_in(arena, cup)
    assert (states(arena, cup), page.row.state) == (["done", "done", "cancelled", "done"], "finished")
    assert [row.rank for row in page.standings] == [1, 2, 3, 3]


def workers(arena: Arena, tournament_id: int, count: int, rng: random.Random) -> None:
    """Play a tournament with so many workers, who claim and finish in any order."""
    claims: list[queue.Claim] = []
    while claims or waiting(arena, tournament_id):
        ready = waiting(arena, tournament_id)
        if ready and len(claims) < count:
            claim = queue.claim(arena, rng.choice(ready), "tester")
            assert claim
            claims.append(claim)
        else:
            claim = claims.pop(rng.randrange(len(claims)))
            queue.submit(arena, claim, result_of(arena, claim.table))
            stages.advance(arena, tournament_id)
            fold.fold(arena, PARTNERS, pace=0)
    sweep.tick(arena)
    fold.fold(arena, PARTNERS)


@pytest.fixture
def arenas(tmp_path: Path, sqlite_template: Path) -> Iterator[list[Arena]]:
    """Three empty arenas."""
    opened = []
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
        shutil.copy(sqlite_template, tmp_path / name / "arena.db")
        opened.append(open_arena(factories.settings_in(tmp_path / name)))
    yield opened
    for arena in opened:
        arena.close()


@pytest.mark.parametrize("plan", [SWISS, KNOCKOUT], ids=["swiss", "knockout"])
def test_one_worker_and_four_come_to_the_same(arenas: Sequence[Arena], plan: Plan) -> None:
    """The same seed and entries give identical records, standings and ratings, in whatever order tables finish."""
    came: list[tuple[Any, ...]] = []
    for arena, count in zip(arenas, (1, 4, 4), strict=True):
        admin = factories.user(arena, "organiser", admin=True)
        versions = factories.field_of(arena, admin, 6)
        cup = start(arena, admin, plan, versions)
        workers(arena, cup, count, random.Random(count + len(came)))
        page = tournament_pages.page(arena, cup)
        assert page.row.state == "finished"
        assert fsck.check(arena) == []
        came.append((page.standings, seatings(page), records(arena, cup), rated(arena)))

    assert came[0] == came[1] == came[2]
    assert len(came[0][3]) >= 4
