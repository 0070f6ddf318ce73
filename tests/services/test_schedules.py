"""Schedules: one tournament for each time, whoever looks, whenever they look, and whatever the clock does."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from threading import Barrier
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from arena.db.models import Bot, Entry, Schedule, Tournament
from arena.games.errors import ArenaError, NotFound, Refused
from arena.services import notices, schedules, starting, sweep
from arena.services.context import Arena, open_arena
from arena.services.plans import Plan
from arena.services.shapes import Account
from tests import factories

PLAN = Plan("Weekly cup", "suitability-4")
START = datetime(2026, 11, 21, 12, 0, 30, tzinfo=UTC)


class Clock:
    """The database's clock, as the schedules see it."""

    def __init__(self) -> None:
        self.time = START

    def set(self, text: str) -> None:
        """To a moment in UTC."""
        self.time = datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that shows what the test says."""
    made = Clock()
    monkeypatch.setattr(schedules, "_now", lambda session: made.time)
    return made


@pytest.fixture
def bots(arena: Arena, admin: Account) -> None:
    """Enough of them to play."""
    factories.field_of(arena, admin, 4)


def made(arena: Arena, schedule: int) -> list[str]:
    """The names of the tournaments of a schedule, first one first."""
    return [row.name for row in reversed(schedules.schedule_page(arena, schedule).tournaments)]


def dues(arena: Arena) -> list[float]:
    """The times that tournaments were made for."""
    with arena.reading() as session:
        found = session.scalars(select(Tournament.due).where(Tournament.due.is_not(None)).order_by(Tournament.id))
        return [due for due in found if due is not None]


def only(arena: Arena, schedule: int) -> schedules.ScheduleRow:
    """The schedule as it is listed."""
    (row,) = (row for row in schedules.schedules(arena) if row.id == schedule)
    return row


@pytest.mark.usefixtures("bots")
def test_a_tournament_begins_at_every_time(arena: Arena, admin: Account, clock: Clock) -> None:
    """Named after its time in its zone, running, and listed with its schedule; looking often changes nothing."""
    weekly = schedules.create(arena, admin, PLAN, "0 20 * * *", "Europe/Berlin")
    for time in ("2026-11-21 18:59:59", "2026-11-21 19:00:00", "2026-11-21 19:00:03", "2026-11-22 19:00:02"):
        clock.set(time)
        schedules.due(arena)

    assert made(arena, weekly) == ["Weekly cup 2026-11-21 20:00 CET", "Weekly cup 2026-11-22 20:00 CET"]
    page = schedules.schedule_page(arena, weekly)
    assert {row.state for row in page.tournaments} == {"running"}
    assert (page.row.name, page.row.problem, page.row.plan) == ("Weekly cup", None, PLAN)
    assert [time.isoformat() for time in page.row.times[:2]] == [
        "2026-11-23T20:00:00+01:00",
        "2026-11-24T20:00:00+01:00",
    ]
    assert len(page.row.times) == 5


@pytest.mark.usefixtures("bots")
def test_two_beats_make_one_tournament(arena: Arena, admin: Account, clock: Clock) -> None:
    """With connections of their own, at the same moment."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC")
    clock.set("2026-11-21 13:00:01")
    gate = Barrier(4)

    def beat(_: int) -> int:
        own = open_arena(arena.settings)
        try:
            gate.wait(20)
            return schedules.due(own)
        finally:
            own.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(beat, range(4))) == 1
    assert len(made(arena, daily)) == 1


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("catch_up", "names", "problem"),
    [
        ("skip", [], "2026-11-24 13:00 UTC passed while nobody looked, and was skipped."),
        ("once", ["Weekly cup 2026-11-24 13:00 UTC"], None),
    ],
)
def test_what_passed_while_the_arena_was_down(
    arena: Arena, admin: Account, clock: Clock, catch_up: str, names: list[str], problem: str | None
) -> None:
    """Is skipped, or made up for by a single tournament; then all goes on as before."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC", catch_up)
    clock.set("2026-11-24 15:00:00")
    schedules.due(arena)

    assert (made(arena, daily), only(arena, daily).problem) == (names, problem)
    clock.set("2026-11-25 13:04:59")  # late, and still in time
    schedules.due(arena)
    assert made(arena, daily) == [*names, "Weekly cup 2026-11-25 13:00 UTC"]
    assert only(arena, daily).problem is None


@pytest.mark.usefixtures("bots")
def test_a_clock_that_jumps_ahead_and_back_makes_nothing_twice(arena: Arena, admin: Account, clock: Clock) -> None:
    """Times come early by such a clock, and do not come again when it is right again."""
    hourly = schedules.create(arena, admin, PLAN, "0 * * * *", "UTC", "once")
    for time in ("14:00:05", "12:30", "13:00", "14:00", "14:59:59", "15:00"):
        clock.set(f"2026-11-21 {time}")
        schedules.due(arena)

    assert made(arena, hourly) == ["Weekly cup 2026-11-21 14:00 UTC", "Weekly cup 2026-11-21 15:00 UTC"]


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("cron", "first", "hours", "names"),
    [
        ("30 2 * * *", "2027-03-28 00:00", 24, ["2027-03-28 03:00 CEST"]),
        ("30 2 * * *", "2026-10-24 22:30", 24, ["2026-10-25 02:30 CEST"]),
        (
            "30 * * * *",
            "2026-10-24 23:45",
            3,
            ["2026-10-25 02:30 CEST", "2026-10-25 02:30 CET", "2026-10-25 03:30 CET"],
        ),
    ],
)
def test_clocks_that_are_put_forward_or_back(
    arena: Arena, admin: Account, clock: Clock, cron: str, first: str, hours: int, names: list[str]
) -> None:
    """A named time comes once a day, left out or doubled; every hour comes, the doubled one twice."""
    clock.set(first)
    nightly = schedules.create(arena, admin, PLAN, cron, "Europe/Berlin")
    for _ in range(hours * 4):
        clock.time += timedelta(minutes=15)
        schedules.due(arena)

    assert made(arena, nightly) == [f"Weekly cup {name}" for name in names]


@pytest.mark.usefixtures("bots")
def test_only_the_database_says_what_time_it_is(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose clock is days ahead makes nothing before its time."""
    schedules.create(arena, admin, PLAN, "* * * * *", "UTC", "once")

    class Wrong(datetime):
        """Tells of next year."""

        @classmethod
        def now(cls, tz: Any = None) -> "Wrong":
            return cls(2030, 1, 1, tzinfo=tz)

    monkeypatch.setattr(schedules, "datetime", Wrong)
    monkeypatch.setattr("arena.services.crons.datetime", Wrong)
    with arena.transaction() as session:
        session.execute(update(Schedule).values(seen_until=Schedule.seen_until - 60))
        seen = session.scalars(select(Schedule.seen_until)).one()
    schedules.due(arena)

    assert len(dues(arena)) == 1
    assert seen < dues(arena)[0] <= seen + 120


@pytest.mark.usefixtures("bots")
def test_the_sweep_makes_the_tournament_and_its_tables(arena: Arena, admin: Account, clock: Clock) -> None:
    """In one go."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC")
    clock.set("2026-11-21 13:00:01")
    sweep.tick(arena)

    (cup,) = schedules.schedule_page(arena, daily).tournaments
    assert (cup.state, cup.entries, cup.tables_total) == ("running", 4, 1)


def test_what_cannot_start_leaves_a_reason_and_the_next_time_is_tried(
    arena: Arena, admin: Account, clock: Clock
) -> None:
    """Its maker is told; nothing half made is left."""
    factories.field_of(arena, admin, 3)
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC")
    clock.set("2026-11-21 13:00:01")
    assert schedules.due(arena) == 0
    assert schedules.due(arena) == 0

    problem = only(arena, daily).problem
    assert problem is not None
    assert problem.startswith("2026-11-21 13:00 UTC: ")
    assert [notice.text for notice in notices.of(arena, admin)] == [f"Weekly cup could not be started. {problem}"]
    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(Tournament)) == 0

    factories.bot(arena, admin, "fourth")
    clock.set("2026-11-22 13:00:01")
    assert schedules.due(arena) == 1
    assert only(arena, daily).problem is None


@pytest.mark.usefixtures("bots")
def test_an_error_of_the_arena_with_one_schedule_does_not_hold_up_the_others(
    arena: Arena, admin: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again, for its time was not dealt with."""
    first, second = (schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC") for _ in range(2))
    clock.set("2026-11-21 13:00:01")
    begin = starting.begin
    with monkeypatch.context() as patch:
        patch.setattr(starting, "begin", _failing_once(begin))
        assert schedules.due(arena) == 1
    assert (len(made(arena, first)), len(made(arena, second))) == (0, 1)

    assert schedules.due(arena) == 1
    assert len(made(arena, first)) == 1


def _failing_once(begin: Callable[..., None]) -> Callable[..., None]:
    left = [ZeroDivisionError("a mistake in the arena")]

    def fail(*args: Any) -> None:
        if left:
            raise left.pop()
        begin(*args)

    return fail


@pytest.mark.usefixtures("bots")
def test_a_zone_that_this_machine_does_not_know_holds_nobody_up(arena: Arena, admin: Account, clock: Clock) -> None:
    """The schedule says so, can be looked at and changed, and the others go on."""
    strange, other = (schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC") for _ in range(2))
    with arena.transaction() as session:
        session.execute(update(Schedule).where(Schedule.id == strange).values(zone="Mars/Olympus"))
    clock.set("2026-11-21 13:00:01")

    assert schedules.due(arena) == 1
    assert len(made(arena, other)) == 1
    assert only(arena, strange).times == ()
    assert (only(arena, strange).problem or "").startswith("There is no time zone 'Mars/Olympus'.")
    schedules.change(arena, admin, strange, PLAN, "0 13 * * *", "UTC")
    assert only(arena, strange).problem is None


@pytest.mark.usefixtures("bots")
def test_a_paused_schedule_lets_its_times_pass(arena: Arena, admin: Account, clock: Clock) -> None:
    """They are not made up for when it is resumed, not even by the one that came last."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC", "once")
    schedules.pause(arena, admin, daily)
    clock.set("2026-11-23 13:00:01")
    assert schedules.due(arena) == 0
    assert only(arena, daily).times == ()
    with pytest.raises(Refused, match="paused already"):
        schedules.pause(arena, admin, daily)

    schedules.resume(arena, admin, daily)
    assert schedules.due(arena) == 0
    clock.set("2026-11-24 13:00:01")
    assert schedules.due(arena) == 1
    with pytest.raises(Refused, match="not paused already"):
        schedules.resume(arena, admin, daily)


@pytest.mark.usefixtures("bots")
def test_a_schedule_is_changed_and_deleted(arena: Arena, admin: Account, clock: Clock) -> None:
    """New times count from the change on; what was made stays when the schedule is gone."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC", "once")
    clock.set("2026-11-21 14:30")
    other = replace(PLAN, name="Hourly", boards=2)
    schedules.change(arena, admin, daily, other, "0 * * * *", "UTC", "once")
    assert schedules.due(arena) == 0
    clock.set("2026-11-21 15:00")
    schedules.due(arena)
    clock.set("2026-11-21 16:01")
    schedules.change(arena, admin, daily, other, "0 * * * *", "UTC", "skip")
    schedules.due(arena)
    assert made(arena, daily) == ["Hourly 2026-11-21 15:00 UTC", "Hourly 2026-11-21 16:00 UTC"]
    assert (only(arena, daily).plan, only(arena, daily).catch_up) == (other, "skip")

    schedules.delete(arena, admin, daily)
    assert schedules.schedules(arena) == []
    assert len(dues(arena)) == 2
    for verb in (schedules.pause, schedules.resume, schedules.delete):
        with pytest.raises(NotFound, match=f"There is no schedule {daily}"):
            verb(arena, admin, daily)
    with pytest.raises(NotFound):
        schedules.schedule_page(arena, daily)


@pytest.mark.parametrize(
    ("plan", "cron", "zone", "catch_up", "sentence"),
    [
        (PLAN, "0 0 30 2 *", "UTC", "skip", "never comes"),
        (PLAN, "0 0 * * *", "Mars/Olympus", "skip", "There is no time zone 'Mars/Olympus'"),
        (PLAN, "0 0 * * *", "UTC", "twice", "There is no catch-up policy 'twice'; the policies are skip, once"),
        (replace(PLAN, variant="bridge"), "0 0 * * *", "UTC", "skip", "there is no variant 'bridge'"),
        (replace(PLAN, boards=0), "0 0 * * *", "UTC", "skip", "Sets of boards must be 1 to 100, not 0"),
        (replace(PLAN, name="x" * 51), "0 0 * * *", "UTC", "skip", "has at most 50 characters"),
        (replace(PLAN, starts_at=1.0), "0 0 * * *", "UTC", "skip", "A schedule says when its tournaments start"),
        (replace(PLAN, format="ladder", shape={}), "0 0 * * *", "UTC", "skip", "A ladder cannot be scheduled"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    arena: Arena, admin: Account, plan: Plan, cron: str, zone: str, catch_up: str, sentence: str
) -> None:
    """When it is made and when it is changed; and nothing changes."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC")
    before = only(arena, daily)
    with pytest.raises(ArenaError, match=sentence):
        schedules.create(arena, admin, plan, cron, zone, catch_up)
    with pytest.raises(ArenaError, match=sentence):
        schedules.change(arena, admin, daily, plan, cron, zone, catch_up)

    assert schedules.schedules(arena) == [before]


def test_only_administrators_have_schedules(arena: Arena, admin: Account, author: Account) -> None:
    """Everybody may look."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC")
    verbs: list[Callable[[], object]] = [
        lambda: schedules.create(arena, author, PLAN, "0 13 * * *", "UTC"),
        lambda: schedules.change(arena, author, daily, PLAN, "0 13 * * *", "UTC"),
        lambda: schedules.pause(arena, author, daily),
        lambda: schedules.resume(arena, author, daily),
        lambda: schedules.delete(arena, author, daily),
    ]
    for verb in verbs:
        with pytest.raises(Refused, match="Only an administrator may do this"):
            verb()


def test_the_next_times_are_shown_while_one_types() -> None:
    """Five of them, as the clocks of the zone will show them."""
    shown = schedules.next_times("30 18 * * FRI", "Europe/Berlin", after=datetime(2026, 10, 20, tzinfo=UTC))

    assert [f"{time:%d.%m. %H:%M %Z}" for time in shown] == [
        "23.10. 18:30 CEST", "30.10. 18:30 CET", "06.11. 18:30 CET", "13.11. 18:30 CET", "20.11. 18:30 CET",
    ]  # fmt: skip
    assert len(schedules.next_times("* * * * *", "UTC", 3)) == 3


ACTIONS = st.one_of(
    st.tuples(st.just("clock"), st.integers(-5_000, 9_000)),
    st.tuples(st.just("look"), st.sampled_from([0, 1])),
    st.tuples(st.just("pause"), st.just(0)),
    st.tuples(st.just("resume"), st.just(0)),
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    actions=st.lists(ACTIONS, min_size=5, max_size=25),
    cron=st.sampled_from(["*/20 * * * *", "30 2 * * *"]),
    catch_up=st.sampled_from(["skip", "once"]),
    start=st.sampled_from([START, datetime(2026, 10, 25, 0, 10, tzinfo=UTC), datetime(2027, 3, 28, 0, 10, tzinfo=UTC)]),
)
@pytest.mark.usefixtures("bots")
def test_whatever_the_clock_does_each_time_has_one_tournament_at_most(
    arena: Arena,
    admin: Account,
    clock: Clock,
    actions: list[tuple[str, int]],
    cron: str,
    catch_up: str,
    start: datetime,
) -> None:
    """None is for a time before the schedule, or that the clock has not shown; what was dealt with stays so."""
    clock.time = latest = start
    schedule = schedules.create(arena, admin, PLAN, cron, "Europe/Berlin", catch_up)
    other = open_arena(arena.settings)
    seen = [start.timestamp()]
    for action, number in actions:
        if action == "clock":
            clock.time += timedelta(seconds=number)
            latest = max(latest, clock.time)
        elif action == "look":
            schedules.due([arena, other][number])
        elif (action == "pause") != only(arena, schedule).paused:
            {"pause": schedules.pause, "resume": schedules.resume}[action](arena, admin, schedule)
        with arena.reading() as session:
            seen.append(session.scalars(select(Schedule.seen_until)).one())
    other.close()

    found = dues(arena)
    assert all(before <= after for before, after in pairwise(seen))
    assert all(before < after for before, after in pairwise(found))
    assert all(start.timestamp() < due <= latest.timestamp() for due in found)
    with arena.transaction() as session:
        _forget(session)


def _forget(session: Session) -> None:
    """Leave nothing to the next example but the bots."""
    for model in (Entry, Tournament, Schedule):
        session.execute(delete(model))
    assert session.scalar(select(func.count()).select_from(Bot)) == 4
