"""Schedules: one tournament for each time, for any process, polling interval and clock."""

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
from arena.services.base import pace
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.formats.plans import Plan
from arena.services.people import notices
from arena.services.schedules import actions as schedules
from arena.services.schedules import pages as schedule_pages
from arena.services.schedules import runs
from arena.services.schedules.views import ScheduleRow
from arena.services.tournaments import starts
from arena.services.work import sweep
from tests import factories

PLAN = Plan("Weekly cup", "suitability-4")
START = datetime(2026, 11, 21, 12, 0, 30, tzinfo=UTC)


class Clock:
    """A database clock that the test sets."""

    def __init__(self) -> None:
        self.time = START

    def set(self, text: str) -> None:
        """Set the time, in UTC."""
        self.time = datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock that schedules read."""
    made = Clock()
    for module in (schedules, schedule_pages, runs):
        monkeypatch.setattr(module, "database_time", lambda session: made.time)
    return made


@pytest.fixture
def bots(arena: Arena, admin: Account) -> None:
    """Enough bots for a tournament."""
    factories.field_of(arena, admin, 4)


def made(arena: Arena, schedule: int) -> list[str]:
    """Return the names of the schedule's tournaments, oldest first."""
    return [row.name for row in reversed(schedule_pages.schedule_page(arena, schedule).tournaments)]


def dues(arena: Arena) -> list[float]:
    """Return the times that tournaments were created for."""
    with arena.reading() as session:
        found = session.scalars(select(Tournament.due).where(Tournament.due.is_not(None)).order_by(Tournament.id))
        return [due for due in found if due is not None]


def only(arena: Arena, schedule: int) -> ScheduleRow:
    """Return the schedule's row in the list."""
    (row,) = (row for row in schedule_pages.schedules(arena) if row.id == schedule)
    return row


@pytest.mark.usefixtures("bots")
def test_tournament_starts_at_each_time(arena: Arena, admin: Account, clock: Clock) -> None:
    """Each tournament has its local time in its name and is listed on the schedule; polling often changes nothing."""
    weekly = schedules.create(arena, admin, PLAN, "0 20 * * *", "Europe/Berlin")
    for time in ("2026-11-21 18:59:59", "2026-11-21 19:00:00", "2026-11-21 19:00:03", "2026-11-22 19:00:02"):
        clock.set(time)
        runs.start_due(arena)

    assert made(arena, weekly) == ["Weekly cup 2026-11-21 20:00 CET", "Weekly cup 2026-11-22 20:00 CET"]
    page = schedule_pages.schedule_page(arena, weekly)
    assert {row.state for row in page.tournaments} == {"running"}
    assert (page.row.name, page.row.problem, page.row.plan) == ("Weekly cup", None, PLAN)
    assert [time.isoformat() for time in page.row.times[:2]] == [
        "2026-11-23T20:00:00+01:00",
        "2026-11-24T20:00:00+01:00",
    ]
    assert len(page.row.times) == 5
    assert (page.size.bots, page.size.tables, page.size.problem, page.size.duration) == (4, 1, None, None)


def test_page_says_why_no_tournament_could_start(arena: Arena, admin: Account) -> None:
    """With too few bots the size of a schedule's tournaments is the reason."""
    weekly = schedules.create(arena, admin, PLAN, "0 20 * * *", "Europe/Berlin")
    problem = schedule_pages.schedule_page(arena, weekly).size.problem

    assert "needs at least 4 bots" in str(problem)


@pytest.mark.usefixtures("bots")
def test_concurrent_sweeps_start_one_tournament(arena: Arena, admin: Account, clock: Clock) -> None:
    """Four threads with their own connections run at the same time."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC")
    clock.set("2026-11-21 13:00:01")
    gate = Barrier(4)

    def beat(_: int) -> int:
        own = open_arena(arena.settings)
        try:
            gate.wait(20)
            return runs.start_due(own)
        finally:
            own.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(beat, range(4))) == 1
    assert len(made(arena, daily)) == 1


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("catch_up", "names", "problem"),
    [
        ("skip", [], "2026-11-24 13:00 UTC was missed; the catch-up policy skips missed times."),
        ("once", ["Weekly cup 2026-11-24 13:00 UTC"], None),
    ],
)
def test_catch_up_policy_applies_to_missed_times(
    arena: Arena, admin: Account, clock: Clock, catch_up: str, names: list[str], problem: str | None
) -> None:
    """Missed times are skipped or get a single tournament; later times are on schedule."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC", catch_up)
    clock.set("2026-11-24 15:00:00")
    runs.start_due(arena)

    assert (made(arena, daily), only(arena, daily).problem) == (names, problem)
    clock.set("2026-11-25 13:04:59")  # late, but within the grace period
    runs.start_due(arena)
    assert made(arena, daily) == [*names, "Weekly cup 2026-11-25 13:00 UTC"]
    assert only(arena, daily).problem is None


@pytest.mark.usefixtures("bots")
def test_clock_that_jumps_ahead_and_back_repeats_no_tournament(arena: Arena, admin: Account, clock: Clock) -> None:
    """Times come early when the clock is ahead, and do not come again when it is right."""
    hourly = schedules.create(arena, admin, PLAN, "0 * * * *", "UTC", "once")
    for time in ("14:00:05", "12:30", "13:00", "14:00", "14:59:59", "15:00"):
        clock.set(f"2026-11-21 {time}")
        runs.start_due(arena)

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
def test_daylight_saving_changes(
    arena: Arena, admin: Account, clock: Clock, cron: str, first: str, hours: int, names: list[str]
) -> None:
    """A fixed time gets one tournament a day, and an hourly wildcard gets one in each of two equal hours."""
    clock.set(first)
    nightly = schedules.create(arena, admin, PLAN, cron, "Europe/Berlin")
    for _ in range(hours * 4):
        clock.time += timedelta(minutes=15)
        runs.start_due(arena)

    assert made(arena, nightly) == [f"Weekly cup {name}" for name in names]


@pytest.mark.usefixtures("bots")
def test_only_the_database_clock_counts(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose clock is years ahead starts nothing early."""
    schedules.create(arena, admin, PLAN, "* * * * *", "UTC", "once")

    class Wrong(datetime):
        """A clock that is years ahead."""

        @classmethod
        def now(cls, tz: Any = None) -> "Wrong":
            return cls(2030, 1, 1, tzinfo=tz)

    monkeypatch.setattr(schedule_pages, "datetime", Wrong)
    monkeypatch.setattr("arena.services.schedules.crons.datetime", Wrong)
    with arena.transaction() as session:
        session.execute(update(Schedule).values(seen_until=Schedule.seen_until - 60, due_at=0.0))
        seen = session.scalars(select(Schedule.seen_until)).one()
    runs.start_due(arena)

    assert len(dues(arena)) == 1
    assert seen < dues(arena)[0] <= seen + 120


@pytest.mark.usefixtures("bots")
def test_sweep_starts_the_tournament_with_its_tables(arena: Arena, admin: Account, clock: Clock) -> None:
    """One sweep creates the tournament, its entries and its tables."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC")
    clock.set("2026-11-21 13:00:01")
    sweep.tick(arena)

    (cup,) = schedule_pages.schedule_page(arena, daily).tournaments
    assert (cup.state, cup.entries, cup.tables_total) == ("running", 4, 1)


def test_failed_start_is_reported_and_the_next_time_is_tried(arena: Arena, admin: Account, clock: Clock) -> None:
    """The schedule's creator gets a notice, and no partial tournament is left."""
    factories.field_of(arena, admin, 3)
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC")
    clock.set("2026-11-21 13:00:01")
    assert runs.start_due(arena) == 0
    assert runs.start_due(arena) == 0

    problem = only(arena, daily).problem
    assert problem is not None
    assert problem.startswith("2026-11-21 13:00 UTC: ")
    assert [notice.text for notice in notices.latest(arena, admin)] == [f"Weekly cup could not be started. {problem}"]
    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(Tournament)) == 0

    factories.bot(arena, admin, "fourth")
    clock.set("2026-11-22 13:00:01")
    assert runs.start_due(arena) == 1
    assert only(arena, daily).problem is None


@pytest.mark.usefixtures("bots")
def test_many_due_schedules_are_spread_over_sweeps(
    arena: Arena, admin: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sweep starts those that have waited longest; every schedule gets one tournament for its time."""
    monkeypatch.setattr(pace, "PATIENCE", -1.0)
    late, early = (schedules.create(arena, admin, PLAN, f"{minute} 13 * * *", "UTC") for minute in (2, 1))
    many = [schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC") for _ in range(3)]
    clock.set("2026-11-21 13:03:00")

    assert [runs.start_due(arena) for _ in range(6)] == [1, 1, 1, 1, 1, 0]
    with arena.reading() as session:
        assert session.scalars(select(Tournament.schedule_id).order_by(Tournament.id)).all() == [*many, early, late]


@pytest.mark.usefixtures("bots")
def test_sweep_reads_only_schedules_that_are_due(
    arena: Arena, admin: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A schedule stores its next time; a schedule of an older release, without one, is handled by the first sweep."""
    schedule = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC")
    handled: list[int] = []
    handle = runs._handle_latest

    def recorded(session: Session, schedule_id: int) -> bool:
        handled.append(schedule_id)
        return handle(session, schedule_id)

    monkeypatch.setattr(runs, "_handle_latest", recorded)
    runs.start_due(arena)
    assert handled == []

    with arena.transaction() as session:
        session.execute(update(Schedule).values(due_at=0.0))
    runs.start_due(arena)
    runs.start_due(arena)
    assert handled == [schedule]

    for time in ("13:00:00", "13:00:03"):
        clock.set(f"2026-11-21 {time}")
        runs.start_due(arena)
    assert handled == [schedule] * 2
    assert len(made(arena, schedule)) == 1


@pytest.mark.usefixtures("bots")
def test_internal_error_with_one_schedule_does_not_block_others(
    arena: Arena, admin: Account, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failed time is tried again at the next sweep."""
    first, second = (schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC") for _ in range(2))
    clock.set("2026-11-21 13:00:01")
    begin = starts.begin
    with monkeypatch.context() as patch:
        patch.setattr(starts, "begin", _failing_once(begin))
        assert runs.start_due(arena) == 1
    assert (len(made(arena, first)), len(made(arena, second))) == (0, 1)

    assert runs.start_due(arena) == 1
    assert len(made(arena, first)) == 1


def _failing_once(begin: Callable[..., None]) -> Callable[..., None]:
    left = [ZeroDivisionError("an error in the arena")]

    def fail(*args: Any) -> None:
        if left:
            raise left.pop()
        begin(*args)

    return fail


@pytest.mark.usefixtures("bots")
def test_zone_unknown_to_the_machine_does_not_block_others(arena: Arena, admin: Account, clock: Clock) -> None:
    """The schedule reports the problem, and can be shown and changed."""
    strange, other = (schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC") for _ in range(2))
    with arena.transaction() as session:
        session.execute(update(Schedule).where(Schedule.id == strange).values(zone="Mars/Olympus"))
    clock.set("2026-11-21 13:00:01")

    assert runs.start_due(arena) == 1
    assert len(made(arena, other)) == 1
    assert only(arena, strange).times == ()
    assert (only(arena, strange).problem or "").startswith("There is no time zone 'Mars/Olympus'.")
    schedules.change(arena, admin, strange, PLAN, "0 13 * * *", "UTC")
    assert only(arena, strange).problem is None


@pytest.mark.usefixtures("bots")
def test_paused_schedule_starts_no_tournament(arena: Arena, admin: Account, clock: Clock) -> None:
    """Times that passed during the pause are not caught up, not even the latest."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC", "once")
    schedules.pause(arena, admin, daily)
    clock.set("2026-11-23 13:00:01")
    assert runs.start_due(arena) == 0
    assert only(arena, daily).times == ()
    with pytest.raises(Refused, match="The schedule is already paused"):
        schedules.pause(arena, admin, daily)

    schedules.resume(arena, admin, daily)
    assert runs.start_due(arena) == 0
    clock.set("2026-11-24 13:00:01")
    assert runs.start_due(arena) == 1
    with pytest.raises(Refused, match="The schedule is not paused"):
        schedules.resume(arena, admin, daily)


@pytest.mark.usefixtures("bots")
def test_schedule_can_be_changed_and_deleted(arena: Arena, admin: Account, clock: Clock) -> None:
    """New times count from the change on, and tournaments stay after their schedule is deleted."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC", "once")
    clock.set("2026-11-21 14:30")
    other = replace(PLAN, name="Hourly", boards=2)
    schedules.change(arena, admin, daily, other, "0 * * * *", "UTC", "once")
    assert runs.start_due(arena) == 0
    clock.set("2026-11-21 15:00")
    runs.start_due(arena)
    clock.set("2026-11-21 16:01")
    schedules.change(arena, admin, daily, other, "0 * * * *", "UTC", "skip")
    runs.start_due(arena)
    assert made(arena, daily) == ["Hourly 2026-11-21 15:00 UTC", "Hourly 2026-11-21 16:00 UTC"]
    assert (only(arena, daily).plan, only(arena, daily).catch_up) == (other, "skip")

    schedules.delete(arena, admin, daily)
    assert schedule_pages.schedules(arena) == []
    assert len(dues(arena)) == 2
    for verb in (schedules.pause, schedules.resume, schedules.delete):
        with pytest.raises(NotFound, match=f"There is no schedule {daily}"):
            verb(arena, admin, daily)
    with pytest.raises(NotFound):
        schedule_pages.schedule_page(arena, daily)


@pytest.mark.parametrize(
    ("plan", "cron", "zone", "catch_up", "sentence"),
    [
        (PLAN, "0 0 30 2 *", "UTC", "skip", "never matches"),
        (PLAN, "0 0 * * *", "Mars/Olympus", "skip", "There is no time zone 'Mars/Olympus'"),
        (PLAN, "0 0 * * *", "UTC", "twice", "'twice' is not a catch-up policy; the policies are skip, once"),
        (replace(PLAN, variant="bridge"), "0 0 * * *", "UTC", "skip", "there is no variant 'bridge'"),
        (replace(PLAN, boards=0), "0 0 * * *", "UTC", "skip", "Sets of boards must be 1 to 100, not 0"),
        (replace(PLAN, name="x" * 51), "0 0 * * *", "UTC", "skip", "has at most 50 characters"),
        (replace(PLAN, starts_at=1.0), "0 0 * * *", "UTC", "skip", "The schedule sets when its tournaments start"),
        (replace(PLAN, format="ladder", shape={}), "0 0 * * *", "UTC", "skip", "A ladder cannot be scheduled"),
    ],
)
def test_invalid_schedule_is_refused(
    arena: Arena, admin: Account, plan: Plan, cron: str, zone: str, catch_up: str, sentence: str
) -> None:
    """Creating or changing a schedule with an invalid setting changes nothing."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC")
    before = only(arena, daily)
    with pytest.raises(ArenaError, match=sentence):
        schedules.create(arena, admin, plan, cron, zone, catch_up)
    with pytest.raises(ArenaError, match=sentence):
        schedules.change(arena, admin, daily, plan, cron, zone, catch_up)

    assert schedule_pages.schedules(arena) == [before]


def test_only_administrators_manage_schedules(arena: Arena, admin: Account, author: Account) -> None:
    """Other users can neither create nor change schedules."""
    daily = schedules.create(arena, admin, PLAN, "0 13 * * *", "UTC")
    verbs: list[Callable[[], object]] = [
        lambda: schedules.create(arena, author, PLAN, "0 13 * * *", "UTC"),
        lambda: schedules.change(arena, author, daily, PLAN, "0 13 * * *", "UTC"),
        lambda: schedules.pause(arena, author, daily),
        lambda: schedules.resume(arena, author, daily),
        lambda: schedules.delete(arena, author, daily),
    ]
    for verb in verbs:
        with pytest.raises(Refused, match="Only an organiser may do this"):
            verb()


def test_next_times_of_an_expression() -> None:
    """The preview lists the next five times, in the zone of the expression."""
    shown = schedule_pages.next_times("30 18 * * FRI", "Europe/Berlin", after=datetime(2026, 10, 20, tzinfo=UTC))

    assert [f"{time:%d.%m. %H:%M %Z}" for time in shown] == [
        "23.10. 18:30 CEST", "30.10. 18:30 CET", "06.11. 18:30 CET", "13.11. 18:30 CET", "20.11. 18:30 CET",
    ]  # fmt: skip
    assert len(schedule_pages.next_times("* * * * *", "UTC", 3)) == 3


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
def test_each_time_gets_at_most_one_tournament(
    arena: Arena,
    admin: Account,
    clock: Clock,
    actions: list[tuple[str, int]],
    cron: str,
    catch_up: str,
    start: datetime,
) -> None:
    """With any clock, tournaments are only for times that the clock has reached since the schedule was created."""
    clock.time = latest = start
    schedule = schedules.create(arena, admin, PLAN, cron, "Europe/Berlin", catch_up)
    other = open_arena(arena.settings)
    seen = [start.timestamp()]
    for action, number in actions:
        if action == "clock":
            clock.time += timedelta(seconds=number)
            latest = max(latest, clock.time)
        elif action == "look":
            runs.start_due([arena, other][number])
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
    """Delete everything but the bots before the next example."""
    for model in (Entry, Tournament, Schedule):
        session.execute(delete(model))
    assert session.scalar(select(func.count()).select_from(Bot)) == 4


@pytest.mark.usefixtures("bots")
def test_schedule_runs_at_once(arena: Arena, admin: Account, author: Account, clock: Clock) -> None:
    """An organiser starts a tournament now, any number of times; the next times stay as they are."""
    number = schedules.create(arena, admin, PLAN, "0 18 * * FRI", "Europe/Berlin")
    times = schedule_pages.schedule_page(arena, number).row.times

    made = [schedules.run(arena, admin, number) for _ in range(2)]
    page = schedule_pages.schedule_page(arena, number)
    assert [row.id for row in page.tournaments] == made[::-1]
    assert {row.name for row in page.tournaments} == {"Weekly cup 2026-11-21 13:00 CET"}
    assert all(row.state == "running" and row.tables_total for row in page.tournaments)
    assert page.row.times == times

    with pytest.raises(Refused, match="organiser"):
        schedules.run(arena, author, number)
    with pytest.raises(NotFound):
        schedules.run(arena, admin, 99)
