"""Bots, tournaments and matches as the client shows them."""

import json
from pathlib import Path
from typing import Any

import pytest
import requests

from arena.remote import watch
from tests.remote.conftest import Client, FakeArena, Said

RATING = {"variant": "suitability-4", "mu": {"value": 27.4}, "sigma": 1.2, "conservative": 23.8, "tables": 12}
REPORT = {"message": "Line 1 is wrong.", "file": "lib.py", "line": 1, "traceback": "", "output": ""}
PLACE = {
    "rank": 1, "bot": "sharp", "version": 2, "owner": "ada", "points": 5.5, "tables": 3,
    "share": {"value": 0.52, "low": 0.47, "high": 0.57, "confidence": 0.95},
}  # fmt: skip
BOT = {
    "id": 3, "name": "sharp", "owner": "ada", "active": True,
    "versions": [{"number": 2, "state": "invalid", "report": REPORT}, {"number": 1, "state": "valid", "report": None}],
    "variants": [{"variant": "suitability-4", "rating": RATING, "before": None}],
}  # fmt: skip


@pytest.fixture(autouse=True)
def _bot(fake: FakeArena) -> None:
    """Let the arena know one bot."""
    row = {"id": 3, "name": "sharp", "version": None, "latest_state": "invalid", "rating": None}
    fake.on("GET /me/bots", Said({"items": [row], "next": None}))
    fake.on("GET /bots", Said({"items": [row], "next": None}))
    fake.on("GET /bots/3", Said(BOT))


def page(state: str, done: int, **more: Any) -> Said:
    """Return a tournament."""
    tables = {"tables_total": 4, "tables_done": done, "tables_failed": 0, "tables_cancelled": 0}
    return Said({"name": "Cup\x1b[2J", "state": state, "problem": None, "standings": [PLACE], **tables, **more})


def test_status_of_all_and_of_one(client: Client, fake: FakeArena) -> None:
    """All bots are a table; one has its ratings."""
    assert client.out("status").splitlines() == [
        "id  bot    version  latest   rating", "3   sharp  –        invalid",
    ]  # fmt: skip
    assert client.out("status", "Sharp").splitlines() == [
        "sharp by ada: version 2 is invalid, active",
        "variant        rating      before  tables",
        "suitability-4  27.4 ± 1.2          12",
    ]
    assert client.json("status")[0]["id"] == 3
    assert client.json("status", "sharp")["owner"] == "ada"
    fake.on("GET /bots/3", Said({**BOT, "versions": [], "variants": [], "active": False}))
    assert client.out("status", "sharp") == "sharp by ada: no version, not active\n"
    assert "There is no bot blunt." in client.run("status", "blunt", code=1).stderr


def test_logs_are_the_report(client: Client) -> None:
    """The latest version is shown, or the one that is named."""
    assert client.out("logs", "sharp") == "sharp, version 2: invalid\nLine 1 is wrong. (lib.py, line 1)\n"
    assert client.json("logs", "sharp")["line"] == 1
    assert "There is no report that you may see." in client.out("logs", "sharp", "--version", 1)
    assert "sharp has no version 7." in client.run("logs", "sharp", "--version", 7, code=1).stderr


def test_standings_of_tournament_and_variant(client: Client, fake: FakeArena) -> None:
    """A number is a tournament, any other word a variant."""
    fake.on("GET /tournaments/7", page("running", 2))
    fake.on("GET /leaderboards/suitability-4", Said({"items": [{**PLACE, **RATING}], "next": None}))

    assert client.out("standings", 7).splitlines()[1].split() == [
        "1", "sharp", "v2", "ada", "5.5", "52.0%", "(47.0%", "to", "57.0%)", "3",
    ]  # fmt: skip
    assert client.out("standings", "suitability-4").splitlines()[1].split()[-5:] == ["27.4", "±", "1.2", "23.8", "12"]
    assert client.json("standings", 7) == [PLACE]
    assert client.json("standings", "suitability-4")[0]["rank"] == 1
    assert "neither the ID" in client.run("standings", "../me", code=2).stderr


def test_watch_prints_lines_until_the_end(client: Client, fake: FakeArena) -> None:
    """A line is printed for each change, and the standings at the end; no control character passes."""
    running = page("running", 2)
    fake.on("GET /tournaments/7", page("draft", 0, problem="No bots."), running, running, page("finished", 4))
    lines = client.out("watch", 7).splitlines()
    assert lines[:3] == [
        "Cup\ufffd[2J: draft, 0 of 4 tables: No bots.", "Cup\ufffd[2J: running, 2 of 4 tables",
        "Cup\ufffd[2J: finished, 4 of 4 tables",
    ]  # fmt: skip
    assert lines[3].startswith("rank")

    fake.on("GET /tournaments/7", running, page("cancelled", 2))
    assert client.json("watch", 7)["state"] == "cancelled"


def test_watch_draws_in_a_terminal(client: Client, fake: FakeArena, monkeypatch: pytest.MonkeyPatch) -> None:
    """The standings are drawn again at each change."""
    fake.on("GET /tournaments/7", page("running", 2), page("finished", 4))
    monkeypatch.setattr(watch, "_is_terminal", lambda: True)

    out = client.out("watch", 7)

    assert "Cup\ufffd[2J: finished, 4 of 4 tables" in out
    assert "sharp v2" in out


@pytest.mark.parametrize(
    ("width", "columns"),
    [
        (120, "1 sharp v2 ada 5.5 52.0% (47.0% to 57.0%) 3"), (80, "1 sharp v2 ada 5.5 52.0% 3"),
        (40, "1 sharp v2 5.5 52.0%"),
    ],
)  # fmt: skip
def test_narrow_terminals_show_less(
    client: Client, fake: FakeArena, monkeypatch: pytest.MonkeyPatch, width: int, columns: str
) -> None:
    """Each place is one line."""
    fake.on("GET /tournaments/7", page("finished", 4))
    monkeypatch.setattr(watch, "_is_terminal", lambda: True)
    client.environ["COLUMNS"] = str(width)

    assert " ".join(client.out("watch", 7).splitlines()[-1].split()) == columns


def test_fetch_writes_records(client: Client, fake: FakeArena, tmp_path: Path) -> None:
    """Each match is a file, and files that exist are kept."""
    fake.on("GET /tables/5", Said({"matches": [{"id": 1}, {"id": 2}]}))
    fake.on("GET /tournaments/7/matches", Said({"items": [{"id": 3}], "next": None}))
    for number in (1, 2, 3):
        fake.on(f"GET /matches/{number}/record", Said({"match": number}))
    into = tmp_path / "records"

    assert client.out("fetch", "match", 1, "--into", into) == f"{into}/match-1.json\n"
    (into / "match-1.json").write_text("mine")
    (into / "match-2.part").symlink_to(tmp_path / "elsewhere")
    client.out("fetch", "table", 5, "--into", into)
    assert client.json("fetch", "tournament", 7, "--into", into) == [f"{into}/match-3.json"]

    assert (into / "match-1.json").read_text() == "mine"
    assert json.loads((into / "match-2.json").read_text()) == {"match": 2}
    assert not (tmp_path / "elsewhere").exists()
    fake.on("GET /matches/4/record", requests.ConnectionError("away"))
    assert sorted(file.name for file in into.iterdir()) == ["match-1.json", "match-2.json", "match-3.json"]
