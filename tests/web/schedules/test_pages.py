"""Schedules: next times, the form, and actions."""

import re
from typing import Any

import pytest

from arena.db.models import Schedule
from arena.services.base.context import Arena
from arena.services.schedules import pages as schedule_pages
from tests.web.conftest import League, Person, words

NEW = "/schedules/new?format=round_robin"
WEEKLY: dict[str, Any] = {
    "name": "Friday", "variant": "suitability-4", "entry_rule": "all", "seatings": "rotations", "rounds": 1,
    "every": "week", "weekdays": ["FRI"], "at": "18:00", "zone": "Europe/Berlin", "catch_up": "skip",
}  # fmt: skip


def test_admin_manages_a_schedule(ada: Person, arena: Arena, promote: Any) -> None:
    """An admin creates, pauses, edits, resumes and deletes a schedule, and sees its next times."""
    admin = promote(ada)
    page = words(admin.send(NEW, **WEEKLY))
    [row] = schedule_pages.schedules(arena)

    assert len(re.findall(r"Fri \d+ \w+ \d+, 18:00 CES?T 1[67]:00 UTC", page)) == 5
    assert "No tournaments yet. The first starts at the next time." in page
    assert "needs at least 4 bots" in page
    assert "Its next times do not change" in admin.visit(f"/schedules/{row.id}/run")
    assert "needs at least 4 bots" in admin.send(f"/schedules/{row.id}/run", 400)
    assert "missed times are skipped" in admin.visit(f"/schedules/{row.id}/pause")
    assert "The schedule is paused." in admin.send(f"/schedules/{row.id}/pause")
    assert "already paused" in admin.send(f"/schedules/{row.id}/pause", 400)
    edit = admin.visit(f"/schedules/{row.id}/edit")
    assert re.findall(r'<input checked [^>]*value="(\w+)"', edit)[:2] == ["week", "FRI"]
    assert "Every Friday at 18:00" in edit
    assert "<h1>Monday</h1>" in admin.send(
        f"/schedules/{row.id}/edit", **{**WEEKLY, "name": "Monday", "every": "cron", "cron": "0 18 * * MON"}
    )
    assert len(re.findall(r"Mon \d+ \w+ \d+, 18:00", words(admin.send(f"/schedules/{row.id}/resume")))) == 5
    assert "No schedules yet." in admin.send(f"/schedules/{row.id}/delete")


def test_problem_of_a_schedule_is_shown(ada: Person, arena: Arena, promote: Any) -> None:
    """The list and the schedule's page show its problem and its name, escaped."""
    promote(ada).send(NEW, **{**WEEKLY, "name": "<b>Friday</b>"})
    with arena.transaction() as session:
        session.query(Schedule).update({"problem": "Too few <bots>."})

    for address in ("/schedules/", "/schedules/1"):
        page = ada.visit(address)
        assert "Too few &lt;bots&gt;." in page
        assert "&lt;b&gt;Friday&lt;/b&gt;" in page


def test_preview_shows_the_next_times(league: League) -> None:
    """The preview shows the times in words, the next of them, and the cost, or a hint if none are chosen."""
    sent: dict[str, Any] = {**WEEKLY, "every": "cron", "cron": "30 6 1 1 *", "zone": "Asia/Tokyo"}
    times = words(league.admin.send("/schedules/preview?format=round_robin", **sent))
    nothing = words(league.admin.send("/schedules/preview?format=round_robin", every="cron"))

    assert len(re.findall(r"1 Jan \d{4}, 06:30 JST \w{3} 31 Dec, 21:30 UTC", times)) == 5
    assert times.startswith("At 06:30 on January 1 ")
    assert "Expected duration: unknown until three tournaments" in times.split("Cost of each tournament")[1]
    assert "Choose times" in nothing


def test_chosen_times_are_shown_in_words(league: League) -> None:
    """The preview says in words which times the choices make."""
    sent: dict[str, Any] = {"at": "09:30", "zone": "UTC"}
    preview = "/schedules/preview?format=round_robin"

    assert "Every day at 09:30" in league.admin.send(preview, every="day", **sent)
    assert "Every month on the last day at 09:30" in league.admin.send(preview, every="month", day="L", **sent)
    assert "Every Monday and Tuesday" in league.admin.send(preview, every="week", weekdays=["TUE", "MON"], **sent)


def test_typed_expression_is_edited_as_it_was_typed(ada: Person, promote: Any) -> None:
    """An expression that choices would write differently opens as an expression."""
    promote(ada).send(NEW, **{**WEEKLY, "every": "cron", "cron": "0 18 * * 5"})
    edit = ada.visit("/schedules/1/edit")

    assert re.findall(r'<input checked [^>]*name="every"[^>]*value="(\w+)"', edit) == ["cron"]
    assert 'value="0 18 * * 5"' in edit
    assert "At 18:00 on Friday, Europe/Berlin." in words(ada.visit("/schedules/"))


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"every": "cron", "cron": ""}, "Enter a cron expression"),
        ({"every": "cron", "cron": "every friday"}, "it must have five"),
        ({"every": "cron", "cron": "0 0 30 2 *"}, "never matches"),
        ({"every": "cron", "cron": "* " * 3000}, "at most 100 characters"),
        ({"weekdays": []}, "Choose at least one day of the week"),
        ({"weekdays": ["FOO"]}, "is not a valid choice"),
        ({"at": "25:00"}, "'25:00' must be hours and minutes"),
        ({"every": "month", "day": "31"}, "Not a valid choice"),
        ({"every": "year"}, "Not a valid choice"),
        ({"zone": "Mars/Olympus"}, "There is no time zone"),
        ({"zone": ""}, "There is no time zone"),
        ({"zone": "../../etc/passwd"}, "There is no time zone"),
        ({"catch_up": "later"}, "Not a valid choice"),
        ({"name": "x" * 60}, "at most 50 characters"),
        ({"name": "\0"}, "name"),
        ({"rounds": "9" * 30}, "Rounds must be 1 to"),
        ({"entry_rule": "chosen"}, "Choose the bots"),
    ],
)
def test_refused_schedule_shows_the_reason(league: League, fields: dict[str, Any], complaint: str) -> None:
    """No schedule is created, and the preview of the same form does not fail."""
    sent = {**WEEKLY, **fields}

    assert complaint in words(league.admin.send(NEW, 400, **sent))
    league.admin.send("/schedules/preview?format=round_robin", **sent)
    assert "No schedules yet." in league.admin.visit("/schedules/")


def test_all_errors_of_a_plan_are_shown_at_once(league: League) -> None:
    """Each error stands beside its field: those of the form, of the times and of the tournament's plan."""
    wrong = {"name": "", "at": "25:00", "weekdays": [], "zone": "Mars", "rounds": "0", "boards": "0", "fault_cap": "-1"}
    page = league.admin.send(NEW, 400, **{**WEEKLY, **wrong, "entry_rule": "chosen"})
    for field in ("name", "at", "zone", "rounds", "boards", "fault_cap"):
        assert f'id="{field}-error"' in page, field
    assert "Choose at least one day of the week" in page
    assert "Choose the bots to enter" in page


def test_formats_with_their_own_page_cannot_be_scheduled(league: League) -> None:
    """Ladders, comparisons and unknown formats cannot be scheduled."""
    assert "Ladder" not in league.admin.visit("/schedules/new")
    for format in ("ladder", "chess", ""):
        league.admin.visit(f"/schedules/new?format={format}", 400)
        league.admin.send(f"/schedules/preview?format={format}", 400)


@pytest.mark.parametrize("address", ["99", "99/edit", "99/pause", f"{'9' * 30}", f"{'9' * 30}/delete"])
def test_unknown_schedule_is_not_found(league: League, address: str) -> None:
    """Unknown ids, however large, are answered with 404."""
    assert "Page not found" in league.admin.visit(f"/schedules/{address}", 404)
