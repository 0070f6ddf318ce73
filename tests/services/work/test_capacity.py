"""From the costs of a table to the need of a rate."""

from dataclasses import replace

import pytest

from arena.services.work.capacity import BUSY, Costs, need

COSTS = Costs(
    variant="suitability-4", database="sqlite", cores=4, free=10**9, matches=4, play=0.05, queue=0.01, locked=0.005,
    statements=40, commits=5, round_trip=0, commit=0.0001, stored=5000, record=800,
)  # fmt: skip
POSTGRESQL = replace(COSTS, database="postgresql", round_trip=0.0002, commit=0.004)


def test_ten_tables_a_minute_need_one_process() -> None:
    """A process is never used more than a plan allows."""
    small = need(COSTS, 10)

    assert (small.processes, small.hosts) == (1, 1)
    assert small.limits[0].used < BUSY


def test_thousand_times_the_rate_needs_thousand_times_as_much() -> None:
    """Commits, log and disk grow with the rate, and the disk is full sooner."""
    one, many = need(COSTS, 10), need(COSTS, 10_000)

    assert many.commits == pytest.approx(1000 * one.commits)
    assert many.log == pytest.approx(1000 * one.log)
    assert many.disk == pytest.approx(1000 * one.disk)
    assert many.days == pytest.approx(one.days / 1000)


def test_processes_have_room() -> None:
    """The processes can play the rate with the share of time that a plan uses, and one fewer cannot."""
    for rate in (10, 1000, 100_000):
        processes = need(COSTS, rate).processes

        assert processes * BUSY / COSTS.busy >= rate / 60
        assert processes == 1 or (processes - 1) * BUSY / COSTS.busy < rate / 60


def test_hosts_hold_the_processes() -> None:
    """Each core has one process."""
    many = need(COSTS, 100_000)

    assert (many.hosts - 1) * COSTS.cores < many.processes <= many.hosts * COSTS.cores


def test_limits_are_ordered_by_use() -> None:
    """The first gives first; SQLite's remedy is PostgreSQL."""
    cheap = need(replace(COSTS, play=0.001, cores=64), 1000)

    assert [limit.name for limit in cheap.limits] == ["SQLite's writer", "cores"]
    assert cheap.limits[0].remedy == "move to PostgreSQL"
    assert [limit.name for limit in need(COSTS, 1000).limits] == ["cores", "SQLite's writer"]


def test_waiting_for_the_database_counts() -> None:
    """Round trips and commits keep a worker from its next table and hold the lock longer."""
    assert POSTGRESQL.database_wait == pytest.approx(40 * 0.0002 + 5 * 0.004)
    assert POSTGRESQL.busy - COSTS.busy == pytest.approx(POSTGRESQL.database_wait - COSTS.database_wait)
    assert POSTGRESQL.serial > COSTS.serial
    assert {limit.name for limit in need(POSTGRESQL, 1000).limits} == {"cores", "the lock of one variant"}


def test_lock_bounds_the_rate_of_many_processes() -> None:
    """Processes add up until the lock is always held."""
    assert COSTS.rate(2) == pytest.approx(2 * COSTS.rate(1))
    assert COSTS.rate(1000) == pytest.approx(1 / COSTS.serial)
