"""A lease is kept while its work goes on, and only then."""

import time
from threading import Event

import pytest

from arena.services.lease import Keeper, LeaseLost

LEASE = 0.06
LONG = 10.0


def test_a_lease_is_renewed_while_a_bot_thinks() -> None:
    """No heartbeat is needed for that."""
    renewed = Event()

    with Keeper(renewed.set, LEASE):
        assert renewed.wait(LONG)


def test_work_is_told_at_its_next_heartbeat_that_its_lease_is_lost() -> None:
    """And not before: a move is never cut short by it."""

    def renew() -> None:
        raise LeaseLost("somebody else has it")

    def work(keeper: Keeper) -> None:
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            keeper.heartbeat()

    with Keeper(renew, LEASE) as keeper, pytest.raises(LeaseLost, match="somebody else"):
        work(keeper)


def test_a_database_that_is_away_for_a_moment_costs_no_lease() -> None:
    """Renewing is tried again."""
    times: list[int] = []
    twice = Event()

    def renew() -> None:
        times.append(1)
        if len(times) == 1:
            raise OSError("no route to the database")
        twice.set()

    with Keeper(renew, LEASE) as keeper:
        assert twice.wait(LONG)
        keeper.heartbeat()


def test_work_that_is_stuck_loses_its_lease() -> None:
    """Without a heartbeat for so long, nobody renews."""
    renewed = Event()

    with Keeper(renewed.set, LEASE, patience=0.0):
        assert not renewed.wait(5 * LEASE)


def test_after_its_block_a_lease_is_left_alone() -> None:
    """The thread has ended."""
    renewed = Event()
    with Keeper(renewed.set, LEASE):
        pass

    renewed.clear()
    assert not renewed.wait(3 * LEASE)


def test_work_in_the_middle_of_other_work_is_a_sign_of_life_of_both() -> None:
    """And where the other's lease is lost meanwhile, that is for the other to hear."""

    class Outer(Keeper):
        signs = 0

        def sign(self) -> None:
            self.signs += 1

    outer = Outer(lambda: None, LEASE)
    outer._lost = LeaseLost("cancelled")
    with Keeper(lambda: None, LEASE, outer=outer) as keeper:
        keeper.heartbeat()
        keeper.heartbeat()

    assert outer.signs == 2
    outer.signs = 0
    with pytest.raises(LeaseLost):
        outer.heartbeat()
