"""Late workers: results and faults under claims from before a rejudgement, pause or cancellation."""

import threading
import time

import pytest
from sqlalchemy import select, update

from arena.db.models import Match, Tournament
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.integrity import fsck
from arena.services.queue import claims, leases
from arena.services.queue.leases import LeaseLost
from arena.services.ratings import fold
from arena.services.ratings.audit import check_ratings
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments.rejudgements import rejudge
from tests import factories
from tests.cages import LocalCage, fail_to_start
from tests.services.work.test_play import outcomes, result_of, state_of

VARIANT = "suitability-2"


@pytest.fixture
def cup(arena: Arena, admin: Account) -> int:
    """Start a tournament of three tables; return its ID."""
    return factories.tournament(arena, admin, factories.field_of(arena, admin, 3), VARIANT)


def test_result_from_before_a_rejudgement_is_rejected(arena: Arena, admin: Account, cup: int) -> None:
    """The fence never goes down, so an old result is rejected while the table waits and while it is played again."""
    table, *_ = factories.table_ids(arena, cup)
    old = claims.claim(arena, table, "first")
    assert old
    result = result_of(arena, table)
    claims.submit(arena, old, result)
    rejudge(arena, admin, cup, "doubtful result", table_number=0)
    with pytest.raises(LeaseLost):
        claims.submit(arena, old, result)

    new = claims.claim(arena, table, "second")
    assert new == leases.Claim(table, old.fence + 1)
    with pytest.raises(LeaseLost):
        claims.submit(arena, old, result)
    claims.submit(arena, new, result)

    with arena.reading() as session:
        fences = session.execute(select(Match.fence, Match.superseded).order_by(Match.id)).all()
    assert fences == [(1, True), (1, True), (2, False), (2, False)]
    assert outcomes(arena, table) == ["superseded", "done"]
    assert fsck.check(arena) == []


def test_table_running_at_a_pause_counts(arena: Arena, admin: Account, cup: int) -> None:
    """No other table starts until the tournament is resumed; then it finishes."""
    first, second, third = factories.table_ids(arena, cup)
    claim = claims.claim(arena, first, "tester")
    assert claim
    tournaments.pause(arena, admin, cup)
    claims.submit(arena, claim, result_of(arena, first))
    assert claims.claim(arena, second, "tester") is None

    tournaments.resume(arena, admin, cup)
    assert factories.play_all(arena, [second, third]) == ["done", "done"]

    with arena.reading() as session:
        assert session.get_one(Tournament, cup).state == "finished"
    assert fsck.check(arena) == []


def test_cancelled_table_stays_cancelled(arena: Arena, admin: Account, cup: int) -> None:
    """A worker can no longer submit, give back, renew or claim it."""
    table, *_ = factories.table_ids(arena, cup)
    claim = claims.claim(arena, table, "tester")
    assert claim
    result = result_of(arena, table)
    tournaments.cancel(arena, admin, cup)

    with pytest.raises(LeaseLost):
        claims.submit(arena, claim, result)
    with pytest.raises(LeaseLost):
        claims.give_back(arena, claim, "a fault")
    with pytest.raises(LeaseLost):
        leases.TABLES.renew(arena, claim)
    assert claims.claim(arena, table, "tester") is None
    assert (state_of(arena, table), outcomes(arena, table)) == ("cancelled", ["cancelled"])
    assert fsck.check(arena) == []


def test_audit_agrees_while_a_failed_table_is_rejudged(arena: Arena, admin: Account, cup: int) -> None:
    """Later tables were rated without it, and are rated again once it has been played."""
    first, *others = factories.table_ids(arena, cup)
    for _ in range(leases.ATTEMPTS):
        factories.play_all(arena, [first], LocalCage(fail_to_start))
        factories.due_now(arena)
    factories.play_all(arena, others)
    assert state_of(arena, first) == "infra_failed"
    assert check_ratings(arena, VARIANT) == []

    rejudge(arena, admin, cup, "the machine is repaired", table_number=0)
    assert check_ratings(arena, VARIANT) == []

    factories.play_all(arena, [first])
    assert fsck.check(arena) == []


def test_cancellation_and_fold_do_not_deadlock(arena: Arena, admin: Account, cup: int) -> None:
    """Both lock the same rows in the same order, so the second waits for the first."""
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
        time.sleep(0.3)  # long enough for the cancellation to reach its lock, without which this test proves nothing
        session.execute(update(Tournament).where(Tournament.id == cup).values(folded=0))
    other.join()

    with arena.reading() as session:
        assert session.get_one(Tournament, cup).state == "cancelled"
    assert fsck.check(arena) == []
