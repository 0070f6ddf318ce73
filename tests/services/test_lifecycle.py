"""From a draft to the end: who may do what to a tournament, and when."""

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from arena.db.models import Rating, Tournament
from arena.games.chance import commitment
from arena.games.errors import Refused
from arena.services import (
    entering,
    fsck,
    notices,
    plans,
    queue,
    rejudging,
    starting,
    sweep,
    tournament_pages,
    tournaments,
    withdrawals,
)  # fmt: skip
from arena.services.context import Arena
from arena.services.plans import Plan
from arena.services.shapes import Account
from tests import factories
from tests.services.test_play import result_of

PARTNERS = "suitability-4-partners"
CUP = Plan("cup", PARTNERS)


def entered(arena: Arena, tournament_id: int) -> list[int]:
    """Its versions in the order of their entries."""
    rows = tournament_pages.page(arena, tournament_id).standings
    return [row.version_id for row in sorted(rows, key=lambda row: row.seed)]


def rate(arena: Arena, version: int, mu: float) -> None:
    """Give a version a rating."""
    with arena.transaction() as session:
        session.add(Rating(variant=PARTNERS, version_id=version, mu=mu, sigma=1.0, tables=9, matches=18))


def test_a_draft_waits_until_it_is_started(arena: Arena, admin: Account) -> None:
    """It has a commitment, no entries and no tables; its plan can be changed, and its seed stays."""
    cup = tournaments.create(arena, admin, CUP, start=False)
    draft = tournament_pages.page(arena, cup)
    assert (draft.row.state, draft.row.entries, draft.row.tables_total, draft.seed) == ("draft", 0, 0, None)
    assert draft.actions == {"edit", "start", "delete"}
    with pytest.raises(Refused, match="needs at least 2 bots; none can be entered"):
        tournaments.start(arena, admin, cup)
    versions = factories.field_of(arena, admin, 3)

    tournaments.change(arena, admin, cup, replace(CUP, name="cup of two rounds", shape={"rounds": 2}, boards=1))
    tournaments.start(arena, admin, cup)

    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.name, page.row.tables_total) == ("running", "cup of two rounds", 6)
    assert (page.commitment, entered(arena, cup)) == (draft.commitment, versions)
    assert tournaments.plan_of(arena, cup).shape == {"rounds": 2}
    for verb, says in ((tournaments.start, "start"), (tournaments.delete, "delete"), (tournaments.resume, "resume")):
        with pytest.raises(Refused, match=f"This tournament is running: there is nothing to {says}."):
            verb(arena, admin, cup)
    assert fsck.check(arena) == []


def test_a_draft_can_be_deleted(arena: Arena, admin: Account) -> None:
    """What was told about it stays."""
    cup = tournaments.create(arena, admin, replace(CUP, starts_at=1.0), start=False)
    sweep.tick(arena)
    tournaments.delete(arena, admin, cup)

    assert tournament_pages.latest(arena) == []
    [notice] = notices.of(arena, admin)
    assert notice.tournament_id is None
    assert "needs at least 2 bots" in notice.text


def test_a_scheduled_tournament_starts_by_itself(arena: Arena, admin: Account) -> None:
    """When its time has come, by the clock of the database, and once, however often anybody looks."""
    factories.field_of(arena, admin, 2)
    cup = tournaments.create(arena, admin, replace(CUP, starts_at=4e9), start=False)
    sweep.tick(arena)
    assert tournament_pages.page(arena, cup).row.state == "scheduled"

    with arena.transaction() as session:
        session.execute(update(Tournament).values(starts_at=Tournament.created))
    assert (starting.start_due(arena), starting.start_due(arena)) == (1, 0)
    sweep.tick(arena)

    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.tables_total) == ("running", 1)
    assert page.row.started is not None


def test_a_scheduled_tournament_that_cannot_start_is_a_draft_again(arena: Arena, admin: Account) -> None:
    """It says why, and who made it is told."""
    cup = tournaments.create(arena, admin, replace(CUP, starts_at=1.0), start=False)

    sweep.tick(arena)

    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.starts_at) == ("draft", None)
    assert "needs at least 2 bots" in str(page.row.problem)
    assert [notice.tournament_id for notice in notices.of(arena, admin)] == [cup]
    tournaments.change(arena, admin, cup, replace(CUP, starts_at=4e9))
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.problem) == ("scheduled", None)
    tournaments.cancel(arena, admin, cup)
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, commitment(bytes.fromhex(page.seed or ""))) == ("cancelled", page.commitment)


def test_while_it_is_paused_nothing_is_begun(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """What is being played is played to its end and counts, be it the last table; then it goes on where it stood."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 3), PARTNERS)
    ids = factories.table_ids(arena, cup)
    claim = queue.claim(arena, ids[0], "at work")
    assert claim

    tournaments.pause(arena, admin, cup)
    bell.heard.clear()
    sweep.tick(arena)

    assert bell.heard == []
    assert factories.play_all(arena, ids) == ["nothing"] * 3
    queue.submit(arena, claim, result_of(arena, ids[0]))
    tournaments.resume(arena, admin, cup)
    assert set(bell.tables()) == set(ids[1:])
    factories.play_all(arena, ids[1:2])
    last = queue.claim(arena, ids[2], "at work")
    assert last
    tournaments.pause(arena, admin, cup)
    queue.submit(arena, last, result_of(arena, ids[2]))
    sweep.tick(arena)
    assert tournament_pages.page(arena, cup).row.state == "paused"
    tournaments.resume(arena, admin, cup)
    assert tournament_pages.page(arena, cup).row.state == "finished"
    assert fsck.check(arena) == []


def test_very_many_tables_are_made_while_the_first_are_played(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few thousand at once; whoever has played one, and the sweep, make more, and none is made twice."""
    monkeypatch.setattr(starting, "BATCH", 4)
    versions = factories.field_of(arena, admin, 5)
    cup = tournaments.create(arena, admin, CUP, start=True)
    assert len(factories.table_ids(arena, cup)) == 8  # in the transaction that started it, and after it
    with pytest.raises(Refused, match="still being made"):
        withdrawals.withdraw(arena, admin, cup, versions[0], "it has a bug")
    with pytest.raises(Refused, match="still being made"):
        rejudging.rejudge(arena, admin, cup, "a doubt")
    tournaments.pause(arena, admin, cup)
    sweep.tick(arena)
    assert len(factories.table_ids(arena, cup)) == 8
    tournaments.resume(arena, admin, cup)
    sweep.tick(arena)

    ids = factories.table_ids(arena, cup)
    assert len(ids) == 10
    assert factories.play_all(arena, ids) == ["done"] * 10
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, {row.tables for row in page.standings}) == ("finished", {4})
    met = {tuple(place.bot_id for place in table.places) for table in page.tables}
    assert len(met) == 10
    assert fsck.check(arena) == []


def test_tables_are_listed_a_page_at_a_time(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """By number, all of them or those of a bot, in a state, of a stage, or one."""
    monkeypatch.setattr(tournament_pages, "SHOWN_TABLES", 4)
    versions = factories.field_of(arena, admin, 5)
    cup = factories.tournament(arena, admin, versions, PARTNERS)
    factories.play_all(arena, factories.table_ids(arena, cup)[3:5])

    pages = [tournament_pages.tables(arena, cup, number) for number in (-1, 1, 2, 3, 99)]
    assert [[table.number for table in page.tables] for page in pages] == [
        [0, 1, 2, 3], [0, 1, 2, 3], [4, 5, 6, 7], [8, 9], [8, 9],
    ]  # fmt: skip
    assert {(page.pages, page.total) for page in pages} == {(3, 10)}
    of_bot = tournament_pages.tables(arena, cup, version_id=versions[4])
    assert [table.number for table in of_bot.tables] == [3, 6, 8, 9]
    done = tournament_pages.tables(arena, cup, state="done", stage=0)
    assert ([table.number for table in done.tables], done.pages, done.total) == ([3, 4], 1, 2)
    assert tournament_pages.tables(arena, cup, stage=7).tables == ()
    assert [table.number for table in tournament_pages.tables(arena, cup, number=7).tables] == [7]


def test_one_bot_of_each_owner_is_the_best_rated_or_the_latest(arena: Arena, admin: Account, author: Account) -> None:
    """And where seeding matters, the best rated comes first and who is not rated last, the oldest first."""
    versions = [
        factories.bot(arena, owner, f"bot-{number}") for number, owner in enumerate((admin, author, admin, author))
    ]
    rate(arena, versions[0], 30.0)
    rate(arena, versions[2], 20.0)
    plan = replace(CUP, entry_rule="one_per_owner")

    assert entered(arena, tournaments.create(arena, admin, plan, start=True)) == [versions[0], versions[3]]
    with arena.reading() as session:
        seeding = entering.entrants(session, replace(CUP, format="swiss", shape={"rounds": 3}))
        assert seeding == [versions[0], versions[2], versions[1], versions[3]]
        assert entering.entrants(session, CUP) == versions


def test_all_orders_and_single_seatings_are_played(arena: Arena, admin: Account) -> None:
    """Every bot beside every neighbour, or everybody once; standings and ratings know what that makes."""
    factories.field_of(arena, admin, 3)
    every = Plan("all", "suitability-3", seatings="all", boards=1)
    single = replace(every, name="one", seatings="single", shape={"rounds": 2})
    assert (tournaments.preview(arena, every).matches, tournaments.preview(arena, single).matches) == (6, 2)

    for plan, played in ((every, 6), (single, 1)):
        cup = tournaments.create(arena, admin, plan, start=True)
        factories.play_all(arena, factories.table_ids(arena, cup))
        page = tournament_pages.page(arena, cup)
        assert page.row.state == "finished"
        assert [len(table.matches) for table in page.tables] == [played] * page.row.tables_total
        assert sum(row.share or 0 for row in page.standings) == pytest.approx(1.5)
    with arena.reading() as session:
        assert set(session.scalars(select(Rating.matches))) == {8}
    assert fsck.check(arena) == []


def test_a_plan_is_kept_and_read_again() -> None:
    """As JSON; what is none is refused with what is wrong."""
    plan = replace(CUP, entry_rule="chosen", chosen=[1, 2], fault_cap=3, starts_at=5.0)
    assert plans.from_json(plans.as_json(plan)) == plan

    for stored, says in (
        ({**plans.as_json(plan), "colour": "red"}, "check colour"),
        ({"name": "cup"}, "check variant"),
        ({**plans.as_json(plan), "starts_at": 1e300}, "The time of the start must be in seconds since 1970"),
        ({**plans.as_json(plan), "starts_at": "noon"}, "not noon"),
        ({**plans.as_json(plan), "chosen": ["mine"]}, "Bots are chosen by their ids"),
        ({**plans.as_json(plan), "boards": "many"}, "Sets of boards must be 1 to 100, not many"),
    ):
        with pytest.raises(Refused, match=says):
            plans.from_json(stored)
