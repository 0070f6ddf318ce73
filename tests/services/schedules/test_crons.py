"""Cron expressions: the times that they match, clock changes, and invalid expressions."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise, takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.errors import Refused
from arena.services.schedules.crons import Cron

FORWARD, BACK = "2027-03-28", "2026-10-25"
"""Days on which the clocks in Berlin go forward from 2:00 to 3:00, and back from 3:00 to 2:00."""
EXPRESSIONS = (
    "30 2 * * *",
    "0,30 2,3 * * *",
    "*/30 * * * *",
    "15 * * * *",
    "*/20 2 * * *",
    "0 12 * * MON",
    "0 0 L * *",
)


def times(expression: str, since: str, count: int, zone: str = "Europe/Berlin") -> list[str]:
    """Return the next `count` times after a local time, as local times with their offset from UTC."""
    cron = Cron(expression, zone)
    found = cron.after(datetime.fromisoformat(since).replace(tzinfo=cron.zone))
    return [moment.astimezone(cron.zone).strftime("%m-%d %H:%M %z") for moment in islice(found, count)]


def test_times_are_local_to_the_zone() -> None:
    """20:00 stays 20:00 in winter and in summer."""
    assert times("0 20 * * FRI", "2026-10-20", 2) == ["10-23 20:00 +0200", "10-30 20:00 +0100"]
    assert times("0 20 * * FRI", "2026-10-20", 2, "UTC") == ["10-23 20:00 +0000", "10-30 20:00 +0000"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("30 2 * * *", ["03-28 03:00 +0200", "03-29 02:30 +0200"]),
        ("0,30 2,3 * * *", ["03-28 03:00 +0200", "03-28 03:30 +0200"]),
        ("*/30 * * * *", ["03-28 03:00 +0200", "03-28 03:30 +0200"]),
        ("15 * * * *", ["03-28 03:15 +0200", "03-28 04:15 +0200"]),
        ("*/20 2 * * *", ["03-29 02:00 +0200", "03-29 02:20 +0200"]),
    ],
)
def test_time_left_out_by_a_clock_change(expression: str, expected: list[str]) -> None:
    """A fixed expression matches at the first moment after the change; a wildcard does not match."""
    assert times(expression, f"{FORWARD} 01:50", 2) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("30 2 * * *", ["10-25 02:30 +0200", "10-26 02:30 +0100"]),
        ("*/30 2 * * *", ["10-25 02:00 +0200", "10-25 02:30 +0200", "10-25 02:00 +0100", "10-25 02:30 +0100"]),
        ("15 * * * *", ["10-25 02:15 +0200", "10-25 02:15 +0100", "10-25 03:15 +0100"]),
    ],
)
def test_time_repeated_by_a_clock_change(expression: str, expected: list[str]) -> None:
    """A fixed expression matches once; a wildcard matches twice."""
    assert times(expression, f"{BACK} 01:50", len(expected)) == expected


@pytest.mark.parametrize(
    ("expression", "since", "expected"),
    [
        ("45 * * * *", "2027-04-04 01:00", ["04-04 01:45 +1100", "04-04 01:45 +1030", "04-04 02:45 +1030"]),
        ("*/20 1 * * *", "2027-04-04 01:30", ["04-04 01:40 +1100", "04-04 01:40 +1030", "04-05 01:00 +1030"]),
        ("*/10 2 * * *", "2027-04-04 00:30", ["04-04 02:00 +1030", "04-04 02:10 +1030", "04-04 02:20 +1030"]),
        ("45 1 * * *", "2027-04-04 01:00", ["04-04 01:45 +1100", "04-05 01:45 +1030"]),
        ("45 * * * *", "2026-10-04 01:00", ["10-04 01:45 +1030", "10-04 02:45 +1100", "10-04 03:45 +1100"]),
        ("15 * * * *", "2026-10-04 01:00", ["10-04 01:15 +1030", "10-04 03:15 +1100", "10-04 04:15 +1100"]),
        ("15 2 * * *", "2026-10-04 01:00", ["10-04 02:30 +1100", "10-05 02:15 +1100"]),
    ],
)
def test_clock_change_of_half_an_hour(expression: str, since: str, expected: list[str]) -> None:
    """On Lord Howe Island clocks go back from 2:00 to 1:30 in April, and forward from 2:00 to 2:30 in October."""
    assert times(expression, since, len(expected), "Australia/Lord_Howe") == expected


@settings(max_examples=40, deadline=None)
@given(
    expression=st.sampled_from([one for one in EXPRESSIONS if "*" in one[:4]]),
    zone=st.sampled_from(["Europe/Berlin", "Australia/Lord_Howe", "Africa/Casablanca"]),
    start=st.datetimes(datetime(2026, 3, 25), datetime(2027, 4, 5)),
)
def test_wildcard_matches_whenever_the_wall_clock_does(expression: str, zone: str, start: datetime) -> None:
    """The expected times come from reading the local clock every minute for a week."""
    cron, since = Cron(expression, zone), start.replace(tzinfo=UTC, second=0, microsecond=0)
    minute, hour = (_shown(field) for field in expression.split()[:2])
    clock = (since + timedelta(minutes=passed) for passed in range(1, 7 * 24 * 60))
    shown = [(moment, moment.astimezone(cron.zone)) for moment in clock]

    found = _between(cron, since, shown[-1][0])
    assert found == [moment for moment, local in shown if local.minute in minute and local.hour in hour]


def _between(cron: Cron, since: datetime, until: datetime) -> list[datetime]:
    return list(takewhile(lambda time: time <= until, cron.after(since)))


def _shown(field: str) -> Sequence[int]:
    """Return the values that a field of an expression matches."""
    if field.startswith("*"):
        return range(0, 60, int(field[2:] or 1))
    return [int(number) for number in field.split(",")]


def test_fixed_time_does_not_match_in_the_second_of_two_equal_hours() -> None:
    """The time matched in the first hour, although the clock will show it again."""
    second = datetime(2026, 10, 25, 1, 10, tzinfo=UTC)

    assert next(Cron("30 2 * * *", "Europe/Berlin").after(second)) == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)


@settings(max_examples=40, deadline=None)
@given(
    expression=st.sampled_from(EXPRESSIONS),
    zone=st.sampled_from(["Europe/Berlin", "UTC", "Africa/Cairo", "Australia/Lord_Howe", "America/Havana"]),
    start=st.datetimes(datetime(2026, 1, 1), datetime(2028, 1, 1)),
    steps=st.lists(st.integers(60, 400_000), min_size=1, max_size=8),
)
def test_times_do_not_depend_on_the_steps_of_the_search(
    expression: str, zone: str, start: datetime, steps: list[int]
) -> None:
    """A period has the same times searched in one go or in steps, and `latest` returns the last of them."""
    cron = Cron(expression, zone)
    looks = [start.replace(tzinfo=UTC)]
    for step in steps:
        looks.append(looks[-1] + timedelta(seconds=step))

    together = _between(cron, looks[0], looks[-1])
    assert together == [moment for since, until in pairwise(looks) for moment in _between(cron, since, until)]
    assert cron.latest(looks[0], looks[-1]) == (together[-1] if together else None)


def test_latest_is_found_years_back_without_iterating_over_all_times() -> None:
    """A leap day is found years back, and every minute of ten years does not take long."""
    now = datetime(2027, 5, 1, tzinfo=UTC)

    assert Cron("0 0 29 2 *", "UTC").latest(now - timedelta(days=4000), now) == datetime(2024, 2, 29, tzinfo=UTC)
    assert Cron("* * * * *", "UTC").latest(now - timedelta(days=4000), now) == now
    assert Cron("0 0 29 2 *", "UTC").latest(now - timedelta(days=700), now) is None


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("", "The cron expression '' has 0 fields; it must have five: minute (0-59), hour (0-23), "),
        ("0 * * * * *", "has 6 fields; it must have five"),
        ("@daily", "has 1 fields; it must have five"),
        ("60 * * * *", "The cron expression '60 * * * *' is invalid: bad minute. Its fields are minute (0-59), "),
        ("0 24 * * *", "bad hour"),
        ("0 0 32 * *", "bad day of month"),
        ("0 0 * FOO *", "bad month"),
        ("0 0 31 2 8", "bad day of week"),
        ("*/0 * * * *", "bad minute"),
        ("0 0 30 2 *", "The cron expression '0 0 30 2 *' never matches: none of its months has such a day."),
        ("0 0 31 4,6,9,11 *", "never matches"),
        ("0 " * 60, "A cron expression has at most 100 characters; this one has 120."),
    ],
)
def test_invalid_expression_is_refused(expression: str, sentence: str) -> None:
    """The message says what is wrong and what is allowed."""
    with pytest.raises(Refused) as refusal:
        Cron(expression, "UTC")

    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    "zone", ["", "Mars/Olympus", "europe/berlin", "/etc/passwd", "../UTC", "Europe", "localtime", "\0"]
)
def test_unknown_zone_is_refused(zone: str) -> None:
    """Paths, folders of zones, and names that depend on the machine are refused as well."""
    with pytest.raises(Refused, match="Give its IANA name, such as Europe/Berlin or UTC"):
        Cron("0 0 * * *", zone)


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("0159*/,-L#W ²MON"), max_size=30) | st.text(max_size=20))
def test_any_text_is_either_valid_or_refused(expression: str) -> None:
    """No text raises another error, and every valid expression has a next time."""
    try:
        cron = Cron(expression, "Europe/Berlin")
    except Refused:
        return
    assert next(cron.after(datetime(2026, 1, 1, tzinfo=UTC)))
