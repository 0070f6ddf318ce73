"""Schedules: their next times, making them, and what can be done to them."""

import re
from typing import Any

import pytest

from arena.db.models import Schedule
from arena.services import schedules
from arena.services.context import Arena
from tests.web.conftest import League, Person, words

NEW = "/schedules/new?format=round_robin"
WEEKLY: dict[str, Any] = {
    "name": "Friday", "variant": "suitability-4", "entry_rule": "all", "seatings": "rotations", "rounds": 1,
    "cron": "0 18 * * FRI", "zone": "Europe/Berlin", "catch_up": "skip",
}  # fmt: skip


def test_an_admin_makes_a_schedule_and_sees_its_next_times(ada: Person, arena: Arena, promote: Any) -> None:
    """In its own zone and in UTC; it is paused, changed, resumed and deleted, each after a page that says so."""
    admin = promote(ada)
    page = words(admin.send(NEW, **WEEKLY))
    [row] = schedules.schedules(arena)

    assert len(re.findall(r"Fri \d+ \w+ \d+, 18:00 CES?T 1[67]:00 UTC", page)) == 5
    assert "It has not made a tournament yet." in page
    assert "none of them is caught up" in admin.visit(f"/schedules/{row.id}/pause")
    assert "It is paused" in admin.send(f"/schedules/{row.id}/pause")
    assert "paused already" in admin.send(f"/schedules/{row.id}/pause", 400)
    assert 'value="0 18 * * FRI"' in admin.visit(f"/schedules/{row.id}/edit")
    assert "<h1>Monday</h1>" in admin.send(
        f"/schedules/{row.id}/edit", **{**WEEKLY, "name": "Monday", "cron": "0 18 * * MON"}
    )
    assert len(re.findall(r"Mon \d+ \w+ \d+, 18:00", words(admin.send(f"/schedules/{row.id}/resume")))) == 5
    assert "No schedule yet." in admin.send(f"/schedules/{row.id}/delete")


def test_a_schedule_that_came_to_nothing_says_why(ada: Person, arena: Arena, promote: Any) -> None:
    """In the list and on its page, with its name as text."""
    promote(ada).send(NEW, **{**WEEKLY, "name": "<b>Friday</b>"})
    with arena.transaction() as session:
        session.query(Schedule).update({"problem": "Too few <bots>."})

    for address in ("/schedules/", "/schedules/1"):
        page = ada.visit(address)
        assert "Too few &lt;bots&gt;." in page
        assert "&lt;b&gt;Friday&lt;/b&gt;" in page


def test_the_next_times_are_shown_while_one_types(league: League) -> None:
    """And what is wrong with the expression or the zone."""
    times = words(league.admin.send("/schedules/preview?format=round_robin", cron="30 6 1 1 *", zone="Asia/Tokyo"))
    nothing = words(league.admin.send("/schedules/preview?format=round_robin"))

    assert len(re.findall(r"1 Jan \d{4}, 06:30 JST \w{3} 31 Dec, 21:30 UTC", times)) == 5
    assert "Say when" in nothing


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"cron": ""}, "Say when, as a cron expression"),
        ({"cron": "every friday"}, "it must have five"),
        ({"cron": "0 0 30 2 *"}, "never comes"),
        ({"cron": "* " * 3000}, "at most 100 characters"),
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
def test_a_refused_schedule_says_why_and_keeps_the_form(league: League, fields: dict[str, Any], complaint: str) -> None:
    """Nothing is made, and the preview says the same or nothing at all."""
    sent = {**WEEKLY, **fields}

    assert complaint in words(league.admin.send(NEW, 400, **sent))
    league.admin.send("/schedules/preview?format=round_robin", **sent)
    assert "No schedule yet." in league.admin.visit("/schedules/")


def test_schedules_have_no_formats_of_their_own_pages(league: League) -> None:
    """Ladders and comparisons cannot be scheduled, nor what is no format."""
    assert "Ladder" not in league.admin.visit("/schedules/new")
    for format in ("ladder", "chess", ""):
        league.admin.visit(f"/schedules/new?format={format}", 400)
        league.admin.send(f"/schedules/preview?format={format}", 400)


@pytest.mark.parametrize("address", ["new", "1/edit", "1/pause", "1/resume", "1/delete"])
def test_only_admins_make_and_change_schedules(league: League, address: str) -> None:
    """Everybody else may look."""
    assert "You may not do that" in league.ada.visit(f"/schedules/{address}", 403)
    assert "Log in first" in league.visitor.visit(f"/schedules/{address}")
    assert "No schedule yet." in league.visitor.visit("/schedules/")


@pytest.mark.parametrize("address", ["99", "99/edit", "99/pause", f"{'9' * 30}", f"{'9' * 30}/delete"])
def test_a_schedule_that_is_none_is_not_found(league: League, address: str) -> None:
    """Whatever the number."""
    assert "There is nothing here" in league.admin.visit(f"/schedules/{address}", 404)
