"""Urgent work runs between the moves of a routine table, without affecting its result."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Attempt, Match, Table
from arena.games.registry import GAMES, rules_of
from arena.sandbox.cage import ASIDE
from arena.services.base.access import Account
from arena.services.base.context import PLAY, VALIDATE, Arena, Doorbell
from arena.services.base.repertoire import first_variants
from arena.services.bots import actions as bots
from arena.services.bots import house
from arena.services.bots import pages as bot_pages
from arena.services.integrity import fsck
from arena.services.queue import announcements
from arena.services.queue.announcements import URGENT, announced_urgent
from arena.services.queue.keeper import Keeper
from arena.services.work import pieces, play, sweep, urgent
from arena.services.work.urgent import Lookout
from tests import factories
from tests.cages import LocalCage, fail_to_start
from tests.services.work.test_play import let_lease_run_out, outcomes, result_of, state_of


@pytest.fixture
def table(arena: Arena, admin: Account) -> int:
    """Create a routine table; return its ID."""
    return factories.table_ids(arena, factories.tournament(arena, admin, factories.field_of(arena, admin, 4)))[0]


@pytest.fixture(autouse=True)
def _check_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urgent, "LOOK_EVERY", 0.02)
    monkeypatch.setattr(pieces, "LONGEST", 3600.0)  # a busy machine's bots may take long
    monkeypatch.setattr(pieces, "PIECE", 3600.0)


def played(arena: Arena, table_id: int, cage: LocalCage | None = None) -> str:
    """Play the table as a worker process does, and return the outcome."""
    cage = cage or LocalCage()
    return play.play_tables(arena, [table_id], cage, "tester", Lookout(arena, cage, "tester"))


def test_upload_is_validated_and_placed_during_a_routine_table(arena: Arena, author: Account, table: int) -> None:
    """The bot is rated before the table ends, and the table's records are unaffected."""
    expected = [match.record for match in result_of(arena, table).matches]
    house.ensure_house(arena)
    ref = bots.upload(arena, author, "candidate", factories.CHANCE)

    assert played(arena, table) == "done"

    status = bot_pages.version_status(arena, ref.version_id, author)
    assert status.rating is not None
    assert status.rating.tables == 4
    with arena.reading() as session:
        ended = {attempt.table_id: attempt.ended or 0 for attempt in session.scalars(select(Attempt))}
        records = session.scalars(select(Match.record).where(Match.table_id == table).order_by(Match.seating)).all()
    assert len(ended) == 5
    assert max(ended.values()) == ended[table]
    assert list(records) == expected
    assert fsck.check(arena) == []


def test_urgent_work_is_not_interrupted_by_other_urgent_work(arena: Arena, admin: Account) -> None:
    """Work is thus never nested more than two deep."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), priority=URGENT)
    [table] = factories.table_ids(arena, cup)

    def interrupt(keeper: Keeper) -> None:
        raise AssertionError("an urgent table was interrupted")

    assert play.play_tables(arena, [table], LocalCage(), "tester", interrupt) == "done"


def test_worker_checks_for_urgent_work_at_intervals(arena: Arena, table: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check at every move would be hundreds of queries per table."""
    looks: list[Session] = []

    def look(session: Session, limit: int) -> list[Doorbell]:
        looks.append(session)
        return []

    monkeypatch.setattr(urgent, "LOOK_EVERY", 3600.0)
    monkeypatch.setattr(announcements, "announced_urgent", look)

    assert played(arena, table) == "done"

    assert len(looks) == 1


def test_arena_fault_in_urgent_work_does_not_affect_the_routine_table(arena: Arena, admin: Account, table: int) -> None:
    """The urgent table waits for another attempt, and the worker starts no other urgent work for a while."""
    ids = factories.table_ids(arena, factories.tournament(arena, admin, [1, 2, 3, 4], rounds=2, priority=URGENT))

    lookout = Lookout(arena, LocalCage(fail_to_start), "tester")
    assert play.play_tables(arena, [table], LocalCage(), "tester", lookout) == "done"

    assert [outcomes(arena, one) for one in ids] == [["fault"], []]


def test_internal_error_in_urgent_work_does_not_affect_the_routine_table(
    arena: Arena, admin: Account, table: int
) -> None:
    """The urgent attempt ends with a fault, and the routine table is done."""

    def raise_error() -> None:
        raise ZeroDivisionError

    [other] = factories.table_ids(arena, factories.tournament(arena, admin, [1, 2, 3, 4], priority=URGENT))

    lookout = Lookout(arena, LocalCage(raise_error), "tester")
    assert play.play_tables(arena, [table], LocalCage(), "tester", lookout) == "done"

    assert outcomes(arena, other) == ["fault"]


def test_table_whose_lease_is_lost_during_urgent_work_is_not_submitted(
    arena: Arena, admin: Account, table: int
) -> None:
    """The urgent result counts; the routine table is queued for another worker."""
    [other] = factories.table_ids(arena, factories.tournament(arena, admin, [1, 2, 3, 4], priority=URGENT))

    def lose() -> None:
        if state_of(arena, table) == "running":
            let_lease_run_out(arena, table)
            sweep.tick(arena)

    assert play.play_tables(arena, [table], LocalCage(), "tester", Lookout(arena, LocalCage(lose), "tester")) == "lost"

    assert (state_of(arena, other), state_of(arena, table)) == ("done", "queued")


def test_urgent_work_is_done_in_order_of_announcement(arena: Arena, admin: Account, author: Account) -> None:
    """Tables and uploads of several owners take turns; routine and delayed ones, and an owner's second, are not due."""
    factories.field_of(arena, admin, 4)
    first = bots.upload(arena, author, "candidate", factories.CHANCE).version_id
    tables = factories.table_ids(arena, factories.tournament(arena, admin, [1, 2, 3, 4], priority=URGENT))
    bots.upload(arena, author, "another", factories.CHANCE)
    factories.tournament(arena, admin, [1, 2, 3, 4])

    with arena.reading() as session:
        assert announced_urgent(session, 8) == [Doorbell(VALIDATE, first, True), Doorbell(PLAY, tables[0], True)]
    with arena.transaction() as session:
        session.get_one(Table, tables[0]).retry_at = 1e12
        assert announced_urgent(session, 8) == [Doorbell(VALIDATE, first, True)]


def test_validation_and_placement_fit_into_the_spare_seats_of_a_cage() -> None:
    """The seats that a cage reserves for urgent work are enough for every game."""
    largest = max(rules_of(variant.id).players for variant in first_variants(tuple(GAMES)))

    assert largest <= ASIDE
