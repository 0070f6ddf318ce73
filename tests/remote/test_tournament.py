"""Requests of the commands for tournaments and schedules."""

import json
from typing import Any

import pytest

from tests.remote.conftest import URL, Client, FakeArena, Said

CUP = {"id": 7, "state": "running"}
ROW = {
    "id": 5, "cron": "0 18 * * FRI", "zone": "Europe/London", "words": "Every Friday at 18:00", "name": "Weekly",
    "problem": None, "paused": False, "times": ["2090-06-30T17:00:00Z"],
}  # fmt: skip
MADE = {"id": 7, "link": "/api/v1/tournaments/7", "page": "/tournaments/7"}
ARENA = ("--arena", URL)


@pytest.fixture(autouse=True)
def _cup(fake: FakeArena) -> None:
    """Let the arena know a tournament, and do what is asked."""
    fake.on("GET /tournaments/7", Said(CUP))
    fake.on("POST /tournaments", Said(MADE, 201))
    fake.on("GET /bots", Said({"items": [{"id": 3, "name": "sharp"}], "next": None}))


def sent(fake: FakeArena, method: str = "POST") -> Any:
    """Return the body of the last request with this method."""
    body = [one for one in fake.asked if one.method == method][-1].body
    assert isinstance(body, bytes)
    return json.loads(body)


def test_tournament_is_created(client: Client, fake: FakeArena) -> None:
    """The numbers of its format are options, and bots are named."""
    words = ("--format", "swiss", "--rounds", 3, "--first-number=4", "--bot", "Sharp", "--fault-cap", 2)
    assert client.out("tournament", "create", "Cup", *words, *ARENA) == "running as tournament 7\n"

    assert sent(fake) == {
        "name": "Cup", "variant": "suitability-4", "format": "swiss", "seatings": "rotations", "fault_cap": 2,
        "entry_rule": "chosen", "chosen": [3], "shape": {"rounds": 3, "first_number": 4}, "boards": None,
        "start": True, "starts_at": None,
    }  # fmt: skip
    assert client.json("tournament", "create", "Cup", "--draft", *ARENA) == MADE
    assert sent(fake)["shape"] == {}
    assert not sent(fake)["start"]
    client.out("tournament", "create", "Cup", "--starts-at", "2090-01-31T18:00+01:00", f"--arena={URL}")
    assert sent(fake)["starts_at"] == "2090-01-31T17:00:00+00:00"


def test_wrong_plans_are_refused_before_they_are_sent(client: Client, fake: FakeArena) -> None:
    """Options without numbers, unknown bots and two starts are named."""
    create = ("tournament", "create", "Cup", *ARENA)
    assert "such as --rounds 3" in client.run(*create, "--rounds", "many", code=2).stderr
    assert "such as --rounds 3" in client.run(*create, "--rounds", code=2).stderr
    assert "There is no bot blunt." in client.run(*create, "--bot", "blunt", code=1).stderr
    both = ("--draft", "--starts-at", "2090-01-31")
    assert "exclude each other" in client.run(*create, *both, code=2).stderr
    assert [one.method for one in fake.asked] == ["GET"]


def test_schedule_is_replaced(client: Client, fake: FakeArena) -> None:
    """Options that are left out take their defaults, as on the server."""
    fake.on("PATCH /schedules/5", Said(b"", 204))
    fake.on("GET /schedules/5", Said({**ROW, "zone": "Mars/Olympus"}))

    said = client.out("schedule", "change", 5, "Weekly", "--cron", "0 18 * * FRI", *ARENA)

    assert said == "schedule 5: Every Friday at 18:00, next at 2090-06-30 17:00 UTC\n"
    assert sent(fake, "PATCH") == {
        "name": "Weekly", "variant": "suitability-4", "format": "round_robin", "shape": {}, "boards": None,
        "seatings": "rotations", "entry_rule": "all", "chosen": None, "fault_cap": None, "cron": "0 18 * * FRI",
        "zone": "UTC", "catch_up": "skip",
    }  # fmt: skip
