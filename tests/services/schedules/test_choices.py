"""Choices of times: their expressions, the way back, and expressions in words."""

import pytest

from arena.games.errors import Refused
from arena.services.schedules.choices import Choices, choices_of, phrase

CHOICES = [
    (Choices("day", "18:00"), "0 18 * * *", "Every day at 18:00"),
    (Choices("week", "09:05", ("FRI",)), "5 9 * * FRI", "Every Friday at 09:05"),
    (
        Choices("week", "00:00", ("MON", "WED", "SUN")),
        "0 0 * * MON,WED,SUN",
        "Every Monday, Wednesday and Sunday at 00:00",
    ),
    (
        Choices("week", "23:59", ("MON", "TUE", "WED", "THU", "FRI")),
        "59 23 * * MON,TUE,WED,THU,FRI",
        "Every day from Monday to Friday at 23:59",
    ),
    (
        Choices("week", "12:00", ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")),
        "0 12 * * MON,TUE,WED,THU,FRI,SAT,SUN",
        "Every day at 12:00",
    ),
    (Choices("month", "18:00", day="28"), "0 18 28 * *", "Every month on day 28 at 18:00"),
    (Choices("month", "18:00", day="L"), "0 18 L * *", "Every month on the last day at 18:00"),
]


@pytest.mark.parametrize(("choices", "cron", "words"), CHOICES, ids=[cron for _, cron, _ in CHOICES])
def test_choices_and_expressions_are_equivalent(choices: Choices, cron: str, words: str) -> None:
    """Choices make an expression, which leads back to them and reads as a phrase."""
    assert choices.cron() == cron
    assert choices_of(cron) == choices
    assert phrase(cron) == words


def test_order_of_weekdays_and_short_times_do_not_matter() -> None:
    """Weekdays are sorted from Monday, and 9:00 is 09:00."""
    assert Choices("week", " 9:00 ", ("SUN", "MON")).cron() == "0 9 * * MON,SUN"


@pytest.mark.parametrize(
    "cron",
    ["0 18 * * 5", "0 18 * * FRI,MON", "00 18 * * *", "0 18 31 * *", "0 25 * * *", "*/5 * * * *", "0 18 1 * MON", ""],
)
def test_other_expressions_are_kept_as_they_are(cron: str) -> None:
    """An expression that choices would write differently is not shown as choices."""
    assert choices_of(cron) is None


def test_other_expressions_are_explained_in_words() -> None:
    """Every valid expression has words; an invalid one is shown as it is."""
    assert phrase("0 */2 * * *") == "At minute 0 past every second hour"
    assert phrase("0 18 * * 5") == "At 18:00 on Friday"
    assert phrase("every friday") == "every friday"


@pytest.mark.parametrize(
    ("choices", "complaint"),
    [
        (Choices("day", "24:00"), "'24:00' must be hours and minutes"),
        (Choices("day", ""), "'' must be hours and minutes"),
        (Choices("week", "18:00"), "Choose at least one day of the week: Monday,"),
        (Choices("week", "18:00", ("FRI", "FOO")), "Choose at least one day of the week"),
        (Choices("month", "18:00", day="31"), "from 1 to 28, or the last"),
        (Choices("year", "18:00"), "'year' is not a choice of times; the choices are day, week and month."),
    ],
)
def test_incomplete_choices_are_refused(choices: Choices, complaint: str) -> None:
    """The refusal names the choices that exist."""
    with pytest.raises(Refused, match=complaint):
        choices.cron()
