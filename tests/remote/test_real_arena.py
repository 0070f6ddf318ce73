"""The client and the API fit together: commands against the web app, without a network."""

from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import requests
from flask import Flask
from sqlalchemy import func, select

from arena.db.models import Base, Bot, Schedule, Tournament, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.people import keys
from tests import factories
from tests.remote.conftest import URL, Client, FakeArena
from web.app import create_app
from web.serving.limits import limiter


class Bridge(FakeArena):
    """Sends requests to the web app in this process."""

    def __init__(self, app: Flask) -> None:
        super().__init__()
        self.app = app
        self.loses = False
        """Whether a proxy drops the first answer to each write, after the arena has done the work."""
        self._lost = set[str]()

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        """Answer a request."""
        headers = {name: text for name, text in request.headers.items() if name != "Accept-Encoding"}
        answer = self.app.test_client().open(
            request.path_url, method=request.method, data=request.body, headers=headers
        )
        key = headers.get("Idempotency-Key")
        if self.loses and key and key not in self._lost and answer.status_code < 300:
            self._lost.add(str(key))
            raise requests.ConnectionError("the proxy lost the answer")
        made = requests.Response()
        made.status_code, made.url, made.request = answer.status_code, str(request.url), request
        made.headers.update(dict(answer.headers))
        made.raw = BytesIO(answer.data)
        return made


@pytest.fixture
def arena(sqlite_template: Path, tmp_path: Path) -> Iterator[Arena]:
    """An arena on SQLite."""
    (tmp_path / "arena.db").write_bytes(sqlite_template.read_bytes())
    opened = open_arena(factories.settings_in(tmp_path))
    yield opened
    opened.close()


@pytest.fixture
def ada(arena: Arena) -> Account:
    """An administrator with four bots and a finished cup."""
    made = factories.user(arena, "ada", admin=True)
    cup = factories.tournament(arena, made, factories.field_of(arena, made, 4), "suitability-4")
    factories.play_all(arena, factories.table_ids(arena, cup))
    return made


@pytest.fixture
def user(arena: Arena, ada: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A user with a token for everything."""
    bridge = Bridge(create_app(arena, {"SHARED_SECONDS": 0.0}))
    limiter.reset()
    monkeypatch.setattr(requests.Session, "get_adapter", lambda *_, **__: bridge)
    made = Client(tmp_path, bridge)
    made.environ["ARENA_TOKEN"] = keys.make(arena, ada, "test", list(keys.Scope))
    return made


def test_commands_understand_the_real_arena(user: Client, tmp_path: Path) -> None:
    """Each command reads what the API answers, and its actions are carried out."""
    file = tmp_path / "sharp.py"
    file.write_bytes(factories.FIRST)
    made = user.json("upload", file, "--no-wait")
    assert (made["number"], user.json("upload", file, "--no-wait")["number"]) == (1, 2)
    assert "sharp" in user.out("status")
    assert "version 2 is pending" in user.out("status", "sharp")
    assert "There is no report" in user.out("logs", "sharp")
    assert "bot-0 v1" in user.out("standings", 1)
    assert "bot-0 v1" in user.out("standings", "suitability-4")
    assert "finished" in user.out("watch", 1)
    assert "match-1.json" in user.out("fetch", "tournament", 1, "--into", tmp_path)

    remote = ("--arena", URL)
    create = ("--rounds", 1, *(word for number in range(4) for word in ("--bot", f"bot-{number}")))
    assert user.out("tournament", "create", "Cup", *create, "--draft", *remote) == "draft as tournament 2\n"
    for act, state in (("start", "running"), ("pause", "paused"), ("resume", "running"), ("cancel", "cancelled")):
        assert user.out("tournament", act, 2, *remote) == f"tournament 2 is {state}\n"
    assert user.out("tournament", "list", *remote).count("Cup") == 1
    assert user.out("tournament", "show", 2, *remote).startswith("Cup: cancelled")
    assert user.out("tournament", "retry", 2, *remote, code=1) == ""
    assert "Nothing to put back" in user.run("tournament", "retry", *remote, code=1).stderr
    assert user.out("tournament", "ladder", "suitability-4", *remote) == "tournament 3 is running\n"
    create = ("--cron", "0 18 * * FRI", "--zone", "Asia/Tokyo", "--format", "swiss")
    assert user.out("schedule", "create", "Weekly", *create, *remote).startswith("schedule 1: Every Friday at 18:00, f")
    assert user.out("schedule", "change", 1, "Monthly", "--cron", "5 4 L * *", *remote).endswith(" 04:05 UTC\n")
    assert user.out("schedule", "pause", 1, *remote) == "schedule 1 is paused\n"
    assert user.out("schedule", "resume", 1, *remote).startswith("schedule 1: next at ")
    assert user.out("schedule", "next", 1, *remote).startswith("Every month on the last day at 04:05:")
    assert "Monthly" in user.out("schedule", "list", *remote)
    assert user.out("schedule", "delete", 1, *remote) == "schedule 1 is deleted\n"


def test_lost_answers_cost_nothing(user: Client, arena: Arena, tmp_path: Path) -> None:
    """A client that hears nothing sends the request again with the same key, and the arena has created one thing."""
    assert isinstance(user.fake, Bridge)
    user.fake.loses = True
    file = tmp_path / "sharp.py"
    file.write_bytes(factories.FIRST)
    remote = ("--arena", URL)
    before = counted(arena)

    uploaded = user.run("upload", file, "--no-wait", "--json")
    again = user.run("upload", file, "--no-wait", "--json")
    cup = user.run("tournament", "create", "Cup", "--rounds", 1, "--bot", "bot-0", "--bot", "bot-1", "--draft", *remote)
    weekly = user.run("schedule", "create", "Weekly", "--cron", "0 18 * * FRI", "--format", "swiss", *remote)

    for result in (uploaded, again, cup, weekly):
        assert "the proxy lost the answer" in result.stderr
    assert counted(arena) - before == Counter({Bot: 1, Version: 2, Tournament: 1, Schedule: 1})


def counted(arena: Arena) -> Counter[type[Base]]:
    """Return the number of rows of what the client can create."""
    with arena.reading() as session:
        models = (Bot, Version, Tournament, Schedule)
        return Counter({one: session.scalars(select(func.count()).select_from(one)).one() for one in models})


def test_refusals_are_sentences(user: Client, tmp_path: Path) -> None:
    """A rule of the arena, a missing page and a wrong token end with the arena's own words."""
    (tmp_path / "x.py").write_bytes(b" ")
    assert "The file is empty" in user.run("upload", tmp_path / "x.py", "--no-wait", "--name", "fine", code=1).stderr
    assert "999" in user.run("watch", 999, code=1).stderr
    user.environ["ARENA_TOKEN"] = "suit_wrong"
    assert f"Log in: arena login {URL}" in user.run("status", code=1).stderr
