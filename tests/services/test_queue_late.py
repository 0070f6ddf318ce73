"""Who comes late: results and faults under claims that rejudging, pausing or cancelling has overtaken."""

import threading
import time

import pytest
from sqlalchemy import select, update

from arena.db.models import Match, Tournament
from arena.services import fold, fsck, queue, tournaments
from arena.services.audit import check_ratings
from arena.services.context import Arena
from arena.services.lease import LeaseLost
from arena.services.rejudging import rejudge
from arena.services.shapes import Account
from tests import factories
from tests.cages import LocalCage, broken
from tests.services.test_play import outcomes, result_of, state_of

VARIANT = "suitability-2"


@pytest.fixture
def cup(arena: Arena, admin: Account) -> int:
    """A running tournament of three tables."""
    return factories.tournament(arena, admin, factories.field_of(arena, admin, 3), VARIANT)


def test_a_result_of_before_a_rejudgement_is_not_taken_after_it(arena: Arena, admin: Account, cup: int) -> None:
    """Neither while the table waits nor while it is played again: the fence only goes up."""
    table, *_ = factories.table_ids(arena, cup)
    old = queue.claim(arena, table, "first")
    assert old
    result = result_of(arena, table)
    queue.submit(arena, old, result)
    rejudge(arena, admin, cup, "a doubt", table_number=0)
    with pytest.raises(LeaseLost):
        queue.submit(arena, old, result)

    new = queue.claim(arena, table, "second")
    assert new == queue.Claim(table, old.fence + 1)
    with pytest.raises(LeaseLost):
        queue.submit(arena, old, result)
    queue.submit(arena, new, result)

    with arena.reading() as session:
        fences = session.execute(select(Match.fence, Match.superseded).order_by(Match.id)).all()
    assert fences == [(1, True), (1, True), (2, False), (2, False)]
    assert outcomes(arena, table) == ["superseded", "done"]
    assert fsck.check(arena) == []


def test_what_was_being_played_when_a_tournament_was_paused_counts(arena: Arena, admin: Account, cup: int) -> None:
    """Nothing else is begun; after the pause the tournament goes on to its end."""
    first, second, third = factories.table_ids(arena, cup)
    claim = queue.claim(arena, first, "tester")
    assert claim
    tournaments.pause(arena, admin, cup)
    queue.submit(arena, claim, result_of(arena, first))
    assert queue.claim(arena, second, "tester") is None

    tournaments.resume(arena, admin, cup)
    assert factories.play_all(arena, [second, third]) == ["done", "done"]

    with arena.reading() as session:
        assert session.get_one(Tournament, cup).state == "finished"
    assert fsck.check(arena) == []


def test_nothing_that_a_worker_does_brings_a_cancelled_table_back(arena: Arena, admin: Account, cup: int) -> None:
    """It cannot be handed in, given back, renewed or claimed."""
    table, *_ = factories.table_ids(arena, cup)
    claim = queue.claim(arena, table, "tester")
    assert claim
    result = result_of(arena, table)
    tournaments.cancel(arena, admin, cup)

    with pytest.raises(LeaseLost):
        queue.submit(arena, claim, result)
    with pytest.raises(LeaseLost):
        queue.give_back(arena, claim, "a fault")
    with pytest.raises(LeaseLost):
        queue.renew(arena, claim)
    assert queue.claim(arena, table, "tester") is None
    assert (state_of(arena, table), outcomes(arena, table)) == ("cancelled", ["cancelled"])
    assert fsck.check(arena) == []


def test_ratings_are_the_fold_while_a_table_that_failed_is_played_again(arena: Arena, admin: Account, cup: int) -> None:
    """What comes after it had been taken in without it, and counts again only when it has been played."""
    first, *others = factories.table_ids(arena, cup)
    for _ in range(queue.ATTEMPTS):
        factories.play_all(arena, [first], LocalCage(broken))
        factories.due_now(arena)
    factories.play_all(arena, others)
    assert state_of(arena, first) == "infra_failed"
    assert check_ratings(arena, VARIANT) == []

    rejudge(arena, admin, cup, "the machine is mended", table_number=0)
    assert check_ratings(arena, VARIANT) == []

    factories.play_all(arena, [first])
    assert fsck.check(arena) == []


def test_a_cancellation_and_a_fold_do_not_wait_for_each_other(arena: Arena, admin: Account, cup: int) -> None:
    """They lock the same rows in one order, so whoever is second waits for the first and then goes on."""
    locked = threading.Event()
    with arena.transaction() as session:
        fold.lock(session, VARIANT)

    def cancel() -> None:
        locked.wait(60)
        tournaments.cancel(arena, admin, cup)

    other = threading.Thread(target=cancel)
    other.start()
    with arena.transaction() as session:
        fold.lock(session, VARIANT)
        locked.set()
        time.sleep(0.3)  # it has come as far as it can by now, or this test says nothing
        session.execute(update(Tournament).where(Tournament.id == cup).values(folded=0))
    other.join()

    with arena.reading() as session:
        assert session.get_one(Tournament, cup).state == "cancelled"
    assert fsck.check(arena) == []
