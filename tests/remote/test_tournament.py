"""Tournaments and schedules of another arena."""

import json
from typing import Any

import pytest

from arena.cli import main
from arena.remote.schedule import schedule
from arena.remote.tournament import tournament
from tests.cli.test_audit import commands
from tests.remote.conftest import URL, Client, FakeArena, Said

PLACE = {
    "rank": 1, "bot": "sharp", "version": 2, "version_id": 9, "owner": "ada", "points": 5.5, "tables": 3, "share": None,
}  # fmt: skip
CUP = {
    "id": 7, "name": "Cup", "state": "running", "format": "round_robin", "variant": "suitability-4", "entries": 4,
    "tables_total": 4, "tables_done": 1, "tables_failed": 1, "tables_cancelled": 0, "problem": None,
    "standings": [PLACE],
}  # fmt: skip
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
    fake.on("GET /tournaments", Said({"items": [CUP], "next": None}))
    fake.on("POST /tournaments", Said(MADE, 201))
    fake.on("GET /bots", Said({"items": [{"id": 3, "name": "sharp"}], "next": None}))
    for act in ("start", "pause", "resume", "cancel", "withdraw"):
        fake.on(f"POST /tournaments/7/{act}", Said(b"", 204))
    for act in ("retry", "rejudge"):
        fake.on(f"POST /tournaments/7/{act}", Said({"count": 2}))


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


def test_tournaments_are_shown(client: Client) -> None:
    """The list and the page have the words of the local commands."""
    assert client.out("tournament", "list", *ARENA).splitlines()[1].split() == [
        "7", "running", "round_robin", "suitability-4", "4", "2/4", "Cup",
    ]  # fmt: skip
    assert client.out("tournament", "show", 7, *ARENA).startswith("Cup: running, 2 of 4 tables\nrank")
    assert client.json("tournament", "list", "--limit", 500, *ARENA) == [CUP]
    assert client.json("tournament", "show", 7, *ARENA) == CUP


def test_tournament_is_managed(client: Client, fake: FakeArena) -> None:
    """Each action is one request; tables are numbered as on the pages."""
    for act in ("start", "pause", "resume", "cancel"):
        assert client.out("tournament", act, 7, *ARENA) == "tournament 7 is running\n"
    assert client.out("tournament", "retry", 7, "--table", 1, *ARENA) == "tables queued again: 2\n"
    assert sent(fake) == {"table": 0}
    fake.on("POST /operations/retry", Said({"count": 3}))
    assert client.out("tournament", "retry", *ARENA) == "tables queued again: 3\n"
    assert "needs the ID" in client.run("tournament", "retry", "--table", 1, *ARENA, code=2).stderr
    assert client.json("tournament", "pause", 7, *ARENA) == CUP
    again = client.out("tournament", "rejudge", 7, "--reason", "why", "--bot", "Sharp", *ARENA)
    assert again == "tournament 7: tables queued for replay: 2\n"
    assert sent(fake) == {"reason": "why", "table": None, "version_id": 9}
    assert "is withdrawn" in client.out("tournament", "withdraw", 7, "sharp", "--reason", "why", *ARENA)
    assert sent(fake) == {"reason": "why", "version_id": 9}
    wrong = client.run("tournament", "rejudge", 7, "--reason", "why", "--bot", "blunt", *ARENA, code=1)
    assert "No bot blunt takes part" in wrong.stderr
    both = ("--table", 1, "--bot", "sharp")
    rejudge = ("tournament", "rejudge", 7, "--reason", "why", *ARENA)
    assert "exclude each other" in client.run(*rejudge, *both, code=2).stderr


def test_ladder_is_started(client: Client, fake: FakeArena) -> None:
    """The variant is checked by the arena, unless it cannot be one."""
    fake.on("POST /ladders/suitability-4/start", Said(MADE, 201))

    assert client.out("tournament", "ladder", "suitability-4", *ARENA) == "tournament 7 is running\n"
    assert "neither the ID" in client.run("tournament", "ladder", "../x", *ARENA, code=2).stderr


def test_schedules_are_managed(client: Client, fake: FakeArena) -> None:
    """A schedule is created with a plan and times, and then run, paused, resumed and deleted."""
    fake.on("POST /schedules", Said({"id": 5}, 201))
    fake.on("GET /schedules/5", Said(ROW))
    fake.on("POST /schedules/5/run", Said(MADE, 201))
    for act in ("POST /schedules/5/pause", "POST /schedules/5/resume", "DELETE /schedules/5"):
        fake.on(act, Said(b"", 204))
    create = ("schedule", "create", "Weekly", "--cron", "0 18 * * FRI", "--rounds", 2, *ARENA)

    assert client.out(*create) == "schedule 5: Every Friday at 18:00, first at 2090-06-30 18:00 BST\n"
    assert (sent(fake)["cron"], sent(fake)["shape"]) == ("0 18 * * FRI", {"rounds": 2})
    assert client.json(*create) == {"id": 5}
    assert client.out("schedule", "run", 5, *ARENA) == "tournament 7 has started\n"
    assert client.out("schedule", "pause", 5, *ARENA) == "schedule 5 is paused\n"
    assert client.out("schedule", "resume", 5, *ARENA) == "schedule 5: next at 2090-06-30 18:00 BST\n"
    assert client.out("schedule", "delete", 5, *ARENA) == "schedule 5 is deleted\n"
    assert client.json("schedule", "delete", 5, *ARENA) == {"id": 5}


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


def test_schedules_and_their_times_are_shown(client: Client, fake: FakeArena) -> None:
    """Times are in the zone of the schedule; those of an expression are asked for too."""
    rows = [ROW, {**ROW, "times": []}, {**ROW, "times": [], "paused": True}]
    fake.on("GET /schedules", Said({"items": rows, "next": None}))
    fake.on("GET /schedules/5", Said(ROW))
    fake.on("GET /schedules/times", Said(ROW))

    listed = client.out("schedule", "list", *ARENA)
    assert all(word in listed for word in ("2090-06-30 18:00 BST", "unknown", "paused"))
    assert len(client.json("schedule", "list", *ARENA)) == 3
    assert client.out("schedule", "next", 5, *ARENA).splitlines() == [
        "Every Friday at 18:00:", "Fri 2090-06-30 18:00 BST  2090-06-30 17:00 UTC",
    ]  # fmt: skip
    assert "zone=Europe%2FLondon" in fake.asked[-1].path_url
    assert client.json("schedule", "next", "0 18 * * FRI", "--count", 9, *ARENA) == ROW
    assert "count=9" in fake.asked[-1].path_url


def test_commands_are_those_of_the_server() -> None:
    """Each command of the server exists for another arena, with the same options but the numbers of formats."""
    here = {name for name in commands(main) if name.startswith(("tournament ", "schedule "))}
    there = {f"{group.name} {name}" for group in (tournament, schedule) for name in group.commands}

    assert there == here
    assert all("as_json" in {one.name for one in command.params} for command in tournament.commands.values())
