"""Urgent work is done between the moves of work that can wait, and harms it in nothing."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from arena.db.models import Attempt, Match, Table
from arena.services import bots, fsck, house, play, sweep, urgent
from arena.services.context import Arena, Doorbell
from arena.services.lease import Keeper
from arena.services.shapes import Account
from arena.services.urgent import Lookout
from tests import factories
from tests.cages import LocalCage, broken
from tests.services.test_play import let_lease_run_out, outcomes, result_of, state_of


@pytest.fixture
def table(arena: Arena, admin: Account) -> int:
    """A routine table."""
    return factories.table_ids(arena, factories.tournament(arena, admin, factories.field_of(arena, admin, 4)))[0]


@pytest.fixture(autouse=True)
def _always_time_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urgent, "LOOK_EVERY", 0.02)


def played(arena: Arena, table_id: int, cage: LocalCage | None = None) -> str:
    """Play the table as a worker process does."""
    cage = cage or LocalCage()
    return play.play_table(arena, table_id, cage, "tester", Lookout(arena, cage, "tester"))


def test_an_upload_is_validated_and_placed_while_a_long_table_is_played(
    arena: Arena, author: Account, table: int
) -> None:
    """It is rated before the table is over, and the table comes to what it would have come to."""
    expected = [match.record for match in result_of(arena, table).matches]
    house.ensure_house(arena)
    ref = bots.upload(arena, author, "candidate", factories.CHANCE)

    assert played(arena, table) == "done"

    status = bots.version_status(arena, ref.version_id, author)
    assert status.rating is not None
    assert status.rating.tables == 3
    with arena.reading() as session:
        ended = {attempt.table_id: attempt.ended or 0 for attempt in session.scalars(select(Attempt))}
        records = session.scalars(select(Match.record).where(Match.table_id == table).order_by(Match.seating)).all()
    assert len(ended) == 4
    assert max(ended.values()) == ended[table]
    assert list(records) == expected
    assert fsck.check(arena) == []


def test_urgent_work_is_not_put_off_for_other_urgent_work(arena: Arena, admin: Account) -> None:
    """So work is never more than two deep."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), priority=10)
    [table] = factories.table_ids(arena, cup)

    def interrupt(keeper: Keeper) -> None:
        raise AssertionError("it is urgent itself")

    assert play.play_table(arena, table, LocalCage(), "tester", interrupt) == "done"


def test_where_nothing_is_urgent_a_worker_looks_now_and_then(
    arena: Arena, table: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not at every move: that would be hundreds of queries a table."""
    looks: list[Session] = []

    def look(session: Session) -> list[Doorbell]:
        looks.append(session)
        return []

    monkeypatch.setattr(urgent, "LOOK_EVERY", 3600.0)
    monkeypatch.setattr(urgent, "urgent", look)

    assert played(arena, table) == "done"

    assert len(looks) == 1


def test_a_fault_of_the_machinery_in_urgent_work_is_not_the_routine_tables(
    arena: Arena, admin: Account, table: int
) -> None:
    """The urgent table waits for another attempt, and the worker looks for no other for a while."""
    ids = factories.table_ids(arena, factories.tournament(arena, admin, [1, 2, 3, 4], rounds=2, priority=10))

    assert play.play_table(arena, table, LocalCage(), "tester", Lookout(arena, LocalCage(broken), "tester")) == "done"

    assert [outcomes(arena, one) for one in ids] == [["fault"], []]


def test_an_error_of_our_own_in_urgent_work_ends_nothing_else(arena: Arena, admin: Account, table: int) -> None:
    """It is logged, and both tables' attempts end as they should."""

    def stumble() -> None:
        raise ZeroDivisionError

    [other] = factories.table_ids(arena, factories.tournament(arena, admin, [1, 2, 3, 4], priority=10))

    assert play.play_table(arena, table, LocalCage(), "tester", Lookout(arena, LocalCage(stumble), "tester")) == "done"

    assert outcomes(arena, other) == ["fault"]


def test_a_table_that_was_lost_during_urgent_work_is_not_handed_in(arena: Arena, admin: Account, table: int) -> None:
    """The urgent result stands; the routine one is somebody else's."""
    [other] = factories.table_ids(arena, factories.tournament(arena, admin, [1, 2, 3, 4], priority=10))

    def lose() -> None:
        if state_of(arena, table) == "running":
            let_lease_run_out(arena, table)
            sweep.tick(arena)

    assert play.play_table(arena, table, LocalCage(), "tester", Lookout(arena, LocalCage(lose), "tester")) == "lost"

    assert (state_of(arena, other), state_of(arena, table)) == ("done", "queued")


def test_what_is_urgent(arena: Arena, admin: Account, author: Account, table: int) -> None:
    """Tables of priority, highest first, then uploads; nothing that stands still, is taken, or must wait."""
    low, high, stopped = (
        factories.tournament(arena, admin, [1, 2, 3, 4], priority=priority) for priority in (5, 10, 20)
    )
    version = bots.upload(arena, author, "candidate", factories.CHANCE).version_id
    with arena.transaction() as session:
        session.get_one(Table, factories.table_ids(arena, stopped)[0]).retry_at = 1e12

    with arena.reading() as session:
        found = urgent.urgent(session)

    expected = [*factories.table_ids(arena, high), *factories.table_ids(arena, low), version]
    assert [one.id for one in found] == expected
