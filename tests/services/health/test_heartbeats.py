"""Heartbeats: processes report themselves to the database."""

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from arena.db.models import Process
from arena.release import release
from arena.services.base.context import Arena
from arena.services.health import heartbeats
from arena.services.health.heartbeats import Sign
from arena.services.work import sweep

LONG_AGO = 1.0


def processes(arena: Arena) -> dict[str, Process]:
    """Return all processes by name."""
    with arena.reading() as session:
        return {row.name: row for row in session.scalars(select(Process))}


def test_report_replaces_the_one_before(arena: Arena) -> None:
    """Ages become times of the database; the start stays."""
    heartbeats.report(arena, Sign("a:1", "worker", "idle"))
    first = processes(arena)["a:1"]

    heartbeats.report(
        arena, Sign("a:1", "worker", "paused", "the disk is full", since=5, active=100, samples=(("x", {}, 1.0),))
    )

    (row,) = processes(arena).values()
    assert (row.state, row.detail, row.samples) == ("paused", "the disk is full", [["x", {}, 1.0]])
    assert (row.started, row.release, row.held) == (first.started, release(), None)
    assert row.active is not None
    assert 94 < row.since - row.active < 96


def test_packages_are_those_of_the_last_worker_that_held_a_bot(arena: Arena) -> None:
    """Processes that have held none say nothing about them."""
    heartbeats.report(arena, Sign("a:1", "web", "idle"))
    unknown = heartbeats.packages(arena)
    for name, ago, numpy in (("a:2", 9.0, "2.4.6"), ("b:1", 5.0, "2.5.5")):
        heartbeats.report(arena, Sign(name, "worker", "idle", held=ago, packages={"numpy": numpy}, refused={}))

    assert unknown is None
    assert heartbeats.packages(arena) == {"numpy": "2.5.5"}


def test_process_leaves(arena: Arena) -> None:
    """A process that ends is removed, and no other."""
    for name in ("a:1", "a:2"):
        heartbeats.report(arena, Sign(name, "web", "idle"))

    heartbeats.leave(arena, "a:1")

    assert list(processes(arena)) == ["a:2"]


HOLDER = Sign("b:1", "worker", "busy", held=1.0)


@pytest.mark.parametrize(
    ("other", "leaves"),
    [
        (HOLDER, True),
        (replace(HOLDER, held=None), False),
        (replace(HOLDER, state="paused"), False),
        (replace(HOLDER, name="a:1"), False),
    ],
)
def test_worker_leaves_only_to_one_that_holds_bots(arena: Arena, other: Sign, leaves: bool) -> None:
    """The last process that can play is not removed, so the arena stays ready."""
    heartbeats.report(arena, replace(HOLDER, name="a:1"))
    heartbeats.report(arena, other)

    assert heartbeats.leave_to_others(arena, "a:1") is leaves
    assert ("a:1" not in processes(arena)) is leaves


def test_sweep_forgets_silent_processes(arena: Arena) -> None:
    """A killed process stays visible for a day."""
    for name in ("killed", "forgotten"):
        heartbeats.report(arena, Sign(name, "worker", "busy"))
    with arena.transaction() as session:
        session.execute(update(Process).where(Process.name == "forgotten").values(seen=LONG_AGO))

    sweep.tick(arena)

    assert list(processes(arena)) == ["killed"]
