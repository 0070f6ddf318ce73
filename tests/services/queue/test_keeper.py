"""The keeper renews a lease while its work makes progress, and only then."""

import time
from threading import Event

import pytest

from arena.services.queue.keeper import Keeper
from arena.services.queue.leases import LeaseLost

LEASE = 0.06
LONG = 10.0


def test_lease_is_renewed_while_a_bot_thinks() -> None:
    """A renewal needs no heartbeat."""
    renewed = Event()

    with Keeper(renewed.set, LEASE):
        assert renewed.wait(LONG)


def test_lost_lease_is_raised_at_the_next_heartbeat() -> None:
    """Nothing is raised earlier, so a move is never cut short."""

    def renew() -> None:
        raise LeaseLost("claimed by another worker")

    def work(keeper: Keeper) -> None:
        end = time.monotonic() + LONG
        while time.monotonic() < end:
            keeper.heartbeat()

    with Keeper(renew, LEASE) as keeper, pytest.raises(LeaseLost, match="another worker"):
        work(keeper)


def test_short_database_outage_does_not_lose_the_lease() -> None:
    """The keeper tries to renew again."""
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


def test_lease_of_stuck_work_is_not_renewed() -> None:
    """Renewals stop after a time without a heartbeat."""
    renewed = Event()

    with Keeper(renewed.set, LEASE, patience=0.0):
        assert not renewed.wait(5 * LEASE)


def test_lease_is_not_renewed_after_its_block() -> None:
    """The keeper's thread has ended."""
    renewed = Event()
    with Keeper(renewed.set, LEASE):
        pass

    renewed.clear()
    assert not renewed.wait(3 * LEASE)


def test_heartbeat_of_nested_work_counts_for_the_outer_lease() -> None:
    """If the outer lease is lost meanwhile, only the outer work's heartbeat raises."""

    class Outer(Keeper):
        touches = 0

        def touch(self) -> None:
            self.touches += 1

    outer = Outer(lambda: None, LEASE)
    outer._lost = LeaseLost("cancelled")
    with Keeper(lambda: None, LEASE, outer=outer) as keeper:
        keeper.heartbeat()
        keeper.heartbeat()

    assert outer.touches == 2
    outer.touches = 0
    with pytest.raises(LeaseLost):
        outer.heartbeat()
