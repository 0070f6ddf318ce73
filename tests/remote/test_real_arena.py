"""The client and the API fit together: commands against the web app, without a network."""

import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
import requests
from flask import Flask
from sqlalchemy import func, select

from arena.db.models import Base, Bot, Schedule, Tournament, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.people import keys
from tests import factories
from tests.cli.test_tournament import Shell
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
def own(sqlite_template: Path, tmp_path: Path) -> Iterator[Shell]:
    """A shell with an arena of its own, which has the same rows as the other."""
    home = tmp_path / "own"
    home.mkdir()
    (home / "arena.db").write_bytes(sqlite_template.read_bytes())
    shell = Shell(home)
    filled(shell.arena)
    yield shell
    shell.arena.close()


@pytest.fixture
def ada(arena: Arena) -> Account:
    """An administrator with four bots and a finished cup."""
    return filled(arena)


def filled(arena: Arena) -> Account:
    """Return an administrator with four bots and a finished cup."""
    made = factories.user(arena, "ada", admin=True)
    cup = factories.tournament(arena, made, factories.field_of(arena, made, 4), "suitability-4")
    factories.play_all(arena, factories.table_ids(arena, cup))
    return made


@pytest.fixture
def user(arena: Arena, ada: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A user with a token for everything."""
    bridge = Bridge(create_app(arena, {"SHARED_SECONDS": 0.0}))
    limiter.reset()
    usual = requests.Session.get_adapter
    monkeypatch.setattr(
        requests.Session, "get_adapter", lambda self, url: bridge if url.startswith(URL) else usual(self, url)
    )
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


SAME: Final = (
    "tournament create Cup --rounds 1 --bot bot-0 --bot bot-1 --variant suitability-2 --draft",
    "tournament start 2", "tournament pause 2", "tournament resume 2", "tournament list", "tournament formats",
    "tournament withdraw 2 bot-0 --reason why", "tournament cancel 2", "tournament retry 2", "tournament retry",
    "tournament show 1", "tournament show 1 --json", "tournament show 999", "tournament show x",
    "tournament rejudge 1 --reason why --bot nobody", "tournament rejudge 1 --reason why --table 1 --bot x",
    "tournament rejudge 1 --reason why --table 1", "tournament ladder suitability-4", "tournament ladder chess",
    "tournament create Cup --format chess", "tournament create Cup --advance 2", "tournament create Cup --rounds x",
    "tournament create Cup --seatings chess", "tournament create Cup --entries chess", "tournament create Cup --bot x",
    "schedule create Weekly --cron */5~18~*~*~FRI --zone Asia/Tokyo --format swiss --catch-up once",
    "schedule create Weekly --cron 0~0~30~2~*", "schedule create Weekly --cron 5 --catch-up always",
    "schedule change 1 Monthly --cron 5~4~L~*~*", "schedule list", "schedule pause 1", "schedule list --json",
    "schedule resume 1", "schedule next 1 --count 1000", "schedule next 1 --count 1001", "schedule next x",
    "schedule next 0~0~1~1~* --zone Mars", "schedule run 1", "schedule delete 1", "schedule delete 1 --json",
    "trial start bot-0 --against bot-1 --variant suitability-2 --matches 2", "trial show 3", "trial show 1",
    "trial start nobody", "trial start bot-0 --matches 0",
    "group create 4b", "group create 4B --json", "group list", "group show 4b", "group rename 4b 5b", "group show 4b",
    "group import 5b missing.csv", "group export 5b", "group remove 5b ada",
    "invite create --group 5b --uses 0", "invite revoke 7", "invite show 7", "invite list", "group delete 5b",
    "assignment create Homework --deadline 2090-01-01 --reference bot-0 --places 9,5", "assignment list",
    "assignment create Homework --deadline soon", "assignment create Homework --deadline 2090-01-01 --places x",
    "assignment create Homework --deadline 2090-01-01 --reference x", "assignment show 1", "assignment results 1",
    "assignment deadline 1 2090-02-01", "assignment delete 1", "assignment delete 1",
    "member list", "member list --only disabled --page 2", "member disable bob --reason why", "member show bob",
    "member enable bob", "member log-out bob", "member disable ada --reason why", "member show nobody",
    "bot rename bot-3 bot-9", "bot archive bot-9", "bot restore BOT-9", "bot delete bot-9", "bot disable bot-0",
    "bot disable bot-0 --reason why", "bot enable bot-0", "bot rename nobody somebody", "bot uploads --state pending",
    "announcement post Hello --until 2090-01-01T12:00 --severity warning", "announcement list", "announcement end 1",
    "announcement post Hello --until 2020-01-01", "announcement end 7", "announcement end x",
)  # fmt: skip
"""Commands in an order in which they make sense, also wrong ones; a tilde stands for a space."""
VARYING: Final = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:[\d.]+)?|[0-9a-f]{64}| \(command\)")
"""Times, seeds and how the log marks the operator."""


def test_commands_say_the_same_of_every_arena(user: Client, arena: Arena, own: Shell, tmp_path: Path) -> None:
    """Output, JSON and exit code are the same for this machine's arena and for one that is reached with a token."""
    for one in (arena, own.arena):
        factories.user(one, "bob")
    for command in SAME:
        words = [word.replace("~", " ") for word in command.split()]
        here, there = own.run(*words, "--local"), user.run(*words, code=None)

        told = [VARYING.sub("", re.sub(r" +", " ", f"{one.exit_code} {one.output}")) for one in (here, there)]
        assert told[0] == told[1], command
        assert here.exit_code in (0, 1, 2), told[0]


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
