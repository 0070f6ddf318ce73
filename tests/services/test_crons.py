"""Cron expressions: when they come, also where clocks are put forward and back, and what is refused."""

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.errors import Refused
from arena.services.crons import Cron

FORWARD, BACK = "2027-03-28", "2026-10-25"
"""Days on which Berlin's clocks are put forward from two to three, and back from three to two."""
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
    """So many times after a moment of that zone, as its clocks show them, with their distance to UTC."""
    cron = Cron(expression, zone)
    found = cron.after(datetime.fromisoformat(since).replace(tzinfo=cron.zone))
    return [moment.astimezone(cron.zone).strftime("%m-%d %H:%M %z") for moment in islice(found, count)]


def test_it_comes_by_the_clocks_of_its_zone() -> None:
    """Winter and summer, at eight in the evening there."""
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
def test_a_time_that_is_left_out_comes_at_the_first_moment_after_it(expression: str, expected: list[str]) -> None:
    """If it was named; what follows the clock on the wall does not come."""
    assert times(expression, f"{FORWARD} 01:50", 2) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("30 2 * * *", ["10-25 02:30 +0200", "10-26 02:30 +0100"]),
        ("*/30 2 * * *", ["10-25 02:00 +0200", "10-25 02:30 +0200", "10-25 02:00 +0100", "10-25 02:30 +0100"]),
        ("15 * * * *", ["10-25 02:15 +0200", "10-25 02:15 +0100", "10-25 03:15 +0100"]),
    ],
)
def test_a_time_that_is_doubled_comes_once(expression: str, expected: list[str]) -> None:
    """If it was named; what follows the clock on the wall comes twice."""
    assert times(expression, f"{BACK} 01:50", len(expected)) == expected


def test_a_named_time_does_not_come_again_in_the_second_of_two_like_hours() -> None:
    """It has passed, although the clock has yet to show it once more."""
    second = datetime(2026, 10, 25, 1, 10, tzinfo=UTC)

    assert next(Cron("30 2 * * *", "Europe/Berlin").after(second)) == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)


@settings(max_examples=40, deadline=None)
@given(
    expression=st.sampled_from(EXPRESSIONS),
    zone=st.sampled_from(["Europe/Berlin", "UTC", "Africa/Cairo", "Australia/Lord_Howe", "America/Havana"]),
    start=st.datetimes(datetime(2026, 1, 1), datetime(2028, 1, 1)),
    steps=st.lists(st.integers(60, 400_000), min_size=1, max_size=8),
)
def test_it_does_not_matter_when_somebody_looks(expression: str, zone: str, start: datetime, steps: list[int]) -> None:
    """The times between two moments are the same, looked at in one go or bit by bit; the latest is the last of them."""
    cron = Cron(expression, zone)
    looks = [start.replace(tzinfo=UTC)]
    for step in steps:
        looks.append(looks[-1] + timedelta(seconds=step))

    def between(since: datetime, until: datetime) -> list[datetime]:
        return list(cron._between(since, until))

    together = between(looks[0], looks[-1])
    assert together == [moment for since, until in pairwise(looks) for moment in between(since, until)]
    assert cron.latest(looks[0], looks[-1]) == (together[-1] if together else None)


def test_the_latest_time_is_found_however_long_ago_it_was() -> None:
    """Leap days are years apart, and every minute of ten years is not counted."""
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
        ("60 * * * *", "The cron expression '60 * * * *' cannot be used: bad minute. Its fields are minute (0-59), "),
        ("0 24 * * *", "bad hour"),
        ("0 0 32 * *", "bad day of month"),
        ("0 0 * FOO *", "bad month"),
        ("0 0 31 2 8", "bad day of week"),
        ("*/0 * * * *", "bad minute"),
        ("0 0 30 2 *", "The cron expression '0 0 30 2 *' never comes: no month that it names has such a day."),
        ("0 0 31 4,6,9,11 *", "never comes"),
        ("0 " * 60, "A cron expression has at most 100 characters; this one has 120."),
    ],
)
def test_what_cannot_be_meant_is_refused(expression: str, sentence: str) -> None:
    """The sentence names what was wrong and what is allowed."""
    with pytest.raises(Refused) as refusal:
        Cron(expression, "UTC")

    assert sentence in str(refusal.value)


@pytest.mark.parametrize(
    "zone", ["", "Mars/Olympus", "europe/berlin", "/etc/passwd", "../UTC", "Europe", "localtime", "\0"]
)
def test_a_zone_that_is_none_is_refused(zone: str) -> None:
    """Also a path, and a folder of zones."""
    with pytest.raises(Refused, match="Give its IANA name, such as Europe/Berlin or UTC"):
        Cron("0 0 * * *", zone)


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("0159*/,-L#W ²MON"), max_size=30) | st.text(max_size=20))
def test_nonsense_is_refused_and_nothing_else_happens(expression: str) -> None:
    """Whatever is typed is an expression or a sentence."""
    try:
        cron = Cron(expression, "Europe/Berlin")
    except Refused:
        return
    assert next(cron.after(datetime(2026, 1, 1, tzinfo=UTC)))
