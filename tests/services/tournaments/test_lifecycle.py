"""The life of a tournament: drafts, scheduled starts, pauses, and tables made in batches."""

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from arena.db.models import CurrentRating, Tournament
from arena.games.chance import commitment
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats import entrants, plans
from arena.services.formats.plans import Plan
from arena.services.integrity import fsck
from arena.services.people import notices
from arena.services.queue import claims
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments import rejudgements, starts, withdrawals
from arena.services.work import sweep
from tests import factories
from tests.services.work.test_play import result_of

PARTNERS = "suitability-4-partners"
CUP = Plan("cup", PARTNERS)


def entered_versions(arena: Arena, tournament_id: int) -> list[int]:
    """Return the tournament's versions in the order of their entries."""
    rows = tournament_pages.page(arena, tournament_id).standings
    return [row.version_id for row in sorted(rows, key=lambda row: row.seed)]


def rate(arena: Arena, version: int, mu: float) -> None:
    """Give a version a rating."""
    with arena.transaction() as session:
        session.add(CurrentRating(variant=PARTNERS, version_id=version, mu=mu, sigma=1.0, tables=9, matches=18))


def test_draft_waits_until_it_is_started(arena: Arena, admin: Account) -> None:
    """A draft has a commitment but no entries and no tables; changing its plan keeps its seed."""
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
    assert (page.commitment, entered_versions(arena, cup)) == (draft.commitment, versions)
    assert tournaments.plan_of(arena, cup).shape == {"rounds": 2}
    for verb, says in ((tournaments.start, "start"), (tournaments.delete, "delete"), (tournaments.resume, "resume")):
        with pytest.raises(Refused, match=f"Cannot {says}: the tournament is running."):
            verb(arena, admin, cup)
    with pytest.raises(Refused, match="Cannot change: the tournament is running"):
        tournaments.change(arena, admin, cup, CUP)
    assert fsck.check(arena) == []


def test_draft_can_be_deleted(arena: Arena, admin: Account) -> None:
    """Notices about the draft are kept."""
    cup = tournaments.create(arena, admin, replace(CUP, starts_at=1.0), start=False)
    sweep.tick(arena)
    tournaments.delete(arena, admin, cup)

    assert tournament_pages.latest(arena) == []
    [notice] = notices.latest(arena, admin)
    assert notice.tournament_id is None
    assert "needs at least 2 bots" in notice.text


def test_scheduled_tournament_starts_automatically(arena: Arena, admin: Account) -> None:
    """The sweep starts it once, when its time has come by the database's clock."""
    factories.field_of(arena, admin, 2)
    cup = tournaments.create(arena, admin, replace(CUP, starts_at=4e9), start=False)
    sweep.tick(arena)
    assert tournament_pages.page(arena, cup).row.state == "scheduled"

    with arena.transaction() as session:
        session.execute(update(Tournament).values(starts_at=Tournament.created))
    assert (starts.start_due(arena), starts.start_due(arena)) == (1, 0)
    sweep.tick(arena)

    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.tables_total) == ("running", 1)
    assert page.row.started is not None


def test_scheduled_tournament_that_cannot_start_becomes_a_draft(arena: Arena, admin: Account) -> None:
    """The page shows the reason, and the organiser gets a notice."""
    cup = tournaments.create(arena, admin, replace(CUP, starts_at=1.0), start=False)

    sweep.tick(arena)

    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.starts_at) == ("draft", None)
    assert "needs at least 2 bots" in str(page.row.problem)
    assert [notice.tournament_id for notice in notices.latest(arena, admin)] == [cup]
    tournaments.change(arena, admin, cup, replace(CUP, starts_at=4e9))
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.problem) == ("scheduled", None)
    tournaments.cancel(arena, admin, cup)
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, commitment(bytes.fromhex(page.seed or ""))) == ("cancelled", page.commitment)


def test_paused_tournament_starts_no_table(arena: Arena, admin: Account, bell: factories.Bell) -> None:
    """Running tables finish and count, even the last one; resuming continues with the queued tables."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 3), PARTNERS)
    ids = factories.table_ids(arena, cup)
    claim = claims.claim(arena, ids[0], "worker")
    assert claim

    tournaments.pause(arena, admin, cup)
    bell.heard.clear()
    sweep.tick(arena)

    assert bell.heard == []
    assert factories.play_all(arena, ids) == ["nothing"] * 3
    claims.submit(arena, claim, result_of(arena, ids[0]))
    tournaments.resume(arena, admin, cup)
    assert set(bell.tables()) == set(ids[1:])
    factories.play_all(arena, ids[1:2])
    last = claims.claim(arena, ids[2], "worker")
    assert last
    tournaments.pause(arena, admin, cup)
    claims.submit(arena, last, result_of(arena, ids[2]))
    sweep.tick(arena)
    assert tournament_pages.page(arena, cup).row.state == "paused"
    tournaments.resume(arena, admin, cup)
    assert tournament_pages.page(arena, cup).row.state == "finished"
    assert fsck.check(arena) == []


def test_tables_of_a_large_tournament_are_made_in_batches(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables are made in batches: at the start, after each played table, and by the sweep; none is made twice."""
    monkeypatch.setattr(starts, "BATCH", 4)
    versions = factories.field_of(arena, admin, 5)
    cup = tournaments.create(arena, admin, CUP, start=True)
    assert len(factories.table_ids(arena, cup)) == 4
    assert tournament_pages.row(arena, cup).tables_planned == 10
    with pytest.raises(Refused, match="still being created"):
        withdrawals.withdraw(arena, admin, cup, versions[0], "it has a bug")
    with pytest.raises(Refused, match="still being created"):
        rejudgements.rejudge(arena, admin, cup, "a doubt")
    tournaments.pause(arena, admin, cup)
    sweep.tick(arena)
    assert len(factories.table_ids(arena, cup)) == 4
    tournaments.resume(arena, admin, cup)
    sweep.tick(arena)

    ids = factories.table_ids(arena, cup)
    assert len(ids) == 10
    assert factories.play_all(arena, ids) == ["done"] * 10
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, {row.tables for row in page.standings}) == ("finished", {4})
    assert page.row.tables_planned == 10
    combinations = {tuple(place.bot_id for place in table.places) for table in page.tables}
    assert len(combinations) == 10
    assert fsck.check(arena) == []


def test_list_of_tables_has_pages_and_filters(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are ordered by number and can be filtered by bot, state, stage or number."""
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


def test_one_bot_per_owner_is_the_best_rated_or_else_the_latest(arena: Arena, admin: Account, author: Account) -> None:
    """Formats that seed put the best rated first and unrated bots last, oldest first."""
    versions = [
        factories.bot(arena, owner, f"bot-{number}") for number, owner in enumerate((admin, author, admin, author))
    ]
    rate(arena, versions[0], 30.0)
    rate(arena, versions[2], 20.0)
    plan = replace(CUP, entry_rule="one_per_owner")

    assert entered_versions(arena, tournaments.create(arena, admin, plan, start=True)) == [versions[0], versions[3]]
    with arena.reading() as session:
        seeding = entrants.entrants(session, replace(CUP, format="swiss", shape={"rounds": 3}))
        assert seeding == [versions[0], versions[2], versions[1], versions[3]]
        assert entrants.entrants(session, CUP) == versions


def test_tables_are_played_in_all_orders_or_a_single_seating(arena: Arena, admin: Account) -> None:
    """A table has a match for each order of its bots, or one; standings and ratings take this into account."""
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
        assert set(session.scalars(select(CurrentRating.matches))) == {8}
    assert fsck.check(arena) == []


def test_plan_round_trips_through_json() -> None:
    """Invalid stored plans are refused with the reason."""
    plan = replace(CUP, entry_rule="chosen", chosen=[1, 2], fault_cap=3, starts_at=5.0)
    assert plans.from_json(plans.as_json(plan)) == plan

    for stored, says in (
        ({**plans.as_json(plan), "colour": "red"}, "check colour"),
        ({"name": "cup"}, "check variant"),
        ({**plans.as_json(plan), "starts_at": 1e300}, "The starting time must be in seconds since 1970"),
        ({**plans.as_json(plan), "starts_at": "noon"}, "not noon"),
        ({**plans.as_json(plan), "chosen": ["mine"]}, "Chosen bots must be given by their IDs"),
        ({**plans.as_json(plan), "boards": "many"}, "Sets of boards must be 1 to 100, not many"),
    ):
        with pytest.raises(Refused, match=says):
            plans.from_json(stored)
