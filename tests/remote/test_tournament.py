"""Tournaments and schedules of another arena."""

import json
from typing import Any

import pytest

from arena.cli import main
from arena.remote.tournament import schedule, tournament
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
    assert client.out("tournament", "create", "Cup", *words, *ARENA) == "tournament 7 is running\n"

    assert sent(fake) == {
        "name": "Cup", "variant": "suitability-4", "format": "swiss", "seatings": "rotations", "fault_cap": 2,
        "entry_rule": "chosen", "chosen": [3], "shape": {"rounds": 3, "first_number": 4}, "start": True,
    }  # fmt: skip
    assert client.json("tournament", "create", "Cup", "--draft", *ARENA) == MADE
    assert "shape" not in sent(fake)
    assert not sent(fake)["start"]
    client.out("tournament", "create", "Cup", "--starts-at", "2090-01-31T18:00:00", f"--arena={URL}")
    assert sent(fake)["starts_at"] == "2090-01-31T18:00:00+00:00"


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
    assert client.json("tournament", "list", *ARENA) == [CUP]
    assert client.json("tournament", "show", 7, *ARENA) == CUP


def test_tournament_is_managed(client: Client, fake: FakeArena) -> None:
    """Each action is one request; tables are numbered as on the pages."""
    for act in ("start", "pause", "resume", "cancel"):
        assert client.out("tournament", act, 7, *ARENA) == "tournament 7 is running\n"
    assert client.out("tournament", "retry", 7, "--table", 1, *ARENA) == "tables queued again: 2\n"
    assert sent(fake) == {"table": 0}
    again = client.out("tournament", "rejudge", 7, "--reason", "why", "--bot", "Sharp", *ARENA)
    assert again == "tournament 7: tables queued for replay: 2\n"
    assert sent(fake) == {"reason": "why", "table": None, "version_id": 9}
    assert "is withdrawn" in client.out("tournament", "withdraw", 7, "sharp", "--reason", "why", *ARENA)
    assert sent(fake) == {"reason": "why", "version_id": 9}
    wrong = client.run("tournament", "rejudge", 7, "--reason", "why", "--bot", "blunt", *ARENA, code=1)
    assert "No bot blunt takes part" in wrong.stderr


def test_schedules_are_managed(client: Client, fake: FakeArena) -> None:
    """A schedule is created with a plan and times, and then listed, run, paused, resumed and deleted."""
    row = {"id": 5, "cron": "0 18 * * FRI", "zone": "UTC", "name": "Weekly", "problem": None, "paused": False}
    rows = [{**row, "times": ["2090-01-31T18:00:00Z"]}, {**row, "times": []}, {**row, "times": [], "paused": True}]
    fake.on("POST /schedules", Said({"id": 5}, 201))
    fake.on("GET /schedules", Said({"items": rows, "next": None}))
    fake.on("POST /schedules/5/run", Said(MADE, 201))
    for act in ("POST /schedules/5/pause", "POST /schedules/5/resume", "DELETE /schedules/5"):
        fake.on(act, Said(b"", 204))
    create = ("schedule", "create", "Weekly", "--cron", "0 18 * * FRI", "--rounds", 2, *ARENA)

    assert client.out(*create) == "schedule 5 is created\n"
    assert (sent(fake)["cron"], sent(fake)["shape"]) == ("0 18 * * FRI", {"rounds": 2})
    assert client.json(*create) == {"id": 5}
    listed = client.out("schedule", "list", *ARENA)
    assert all(word in listed for word in ("2090-01-31T18:00:00Z", "unknown", "paused"))
    assert len(client.json("schedule", "list", *ARENA)) == 3
    assert client.out("schedule", "run", 5, *ARENA) == "tournament 7 has started\n"
    for act, done in (("pause", "paused"), ("resume", "resumed"), ("delete", "deleted")):
        assert client.out("schedule", act, 5, *ARENA) == f"schedule 5 is {done}\n"


def test_commands_are_those_of_the_server() -> None:
    """Commands for another arena equal the local ones, except for ladders, changes and previews of times."""
    here = {name for name in commands(main) if name.startswith(("tournament ", "schedule "))}
    there = {f"{group.name} {name}" for group in (tournament, schedule) for name in group.commands}

    assert here - there == {"tournament ladder", "schedule change", "schedule next"}
    assert there <= here
