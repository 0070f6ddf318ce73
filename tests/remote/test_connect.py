"""`arena connect`: a bot at home plays at the tables of an arena, through a network that loses answers."""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
import requests
from sqlalchemy import select

from arena.cli.connect import asked_to_end
from arena.db.models import Bot, CurrentRating, Presence
from arena.remote.connect import WAIT, Connection
from arena.remote.http import Remote
from arena.remote.link import Link
from arena.remote.shared import SharedBot
from arena.services.base.context import Arena, open_arena
from arena.services.bots.house import ensure_house
from arena.services.ladders.actions import start_missing
from arena.services.people import keys
from arena.services.people.keys import Scope
from arena.services.tournaments.stages import advance_all
from tests import factories
from tests.remote.conftest import TOKEN, URL, Answer, Client, FakeArena, Said, problem
from tests.remote.test_real_arena import Bridge
from tests.services.live.test_host import hosting
from web.app import create_app
from web.serving.limits import limiter

BOT = """
from arena.sdk import Bot

class Counting(Bot):
    def on_start(self):
        self.heard = 0

    def on_event(self, event):
        self.heard += 1

    def act(self, view):
        {act}
        return view.legal[-1]

    def on_end(self, scores, ranks):
        print("heard", self.heard)
"""


class Losing(Bridge):
    """An arena behind a network that loses the first answer to every move, and now and then another one."""

    def __init__(self, app: Any) -> None:
        super().__init__(app)
        self.moves: list[tuple[str, bytes]] = []
        self.sent = 0

    def send(self, request: requests.PreparedRequest, *more: Any, **words: Any) -> requests.Response:
        """Answer a request, or lose the answer after the arena has done the work."""
        answer = super().send(request, *more, **words)
        self.sent += 1
        move = str(request.path_url), request.body if isinstance(request.body, bytes) else b""
        is_new = move not in self.moves
        if move[0].endswith("/moves"):
            self.moves.append(move)
        if self.sent % 7 == 0 or (move[0].endswith("/moves") and is_new):
            raise requests.ConnectionError("the network lost the answer")
        return answer


@pytest.fixture
def arena(tmp_path: Path, sqlite_template: Path) -> Iterator[Arena]:
    """An arena on SQLite with house bots, whose live tables are played."""
    (tmp_path / "arena.db").write_bytes(sqlite_template.read_bytes())
    opened = open_arena(factories.settings_in(tmp_path))
    ensure_house(opened)
    with hosting(opened):
        yield opened
    opened.close()


@pytest.fixture
def user(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A member whose programs may play, behind a bad network."""
    bridge = Losing(create_app(arena, {"SHARED_SECONDS": 0.0}))
    limiter.reset()
    monkeypatch.setattr(requests.Session, "get_adapter", lambda *_, **__: bridge)
    monkeypatch.setattr(Remote.__init__, "__defaults__", (lambda _: None, None))
    made = Client(tmp_path, bridge)
    made.environ["ARENA_TOKEN"] = keys.make(arena, factories.user(arena, "ada"), "test", [Scope.UPLOAD])
    return made


def test_python_bot_plays_whatever_the_network_loses(user: Client, tmp_path: Path) -> None:
    """A retried move loses no game: it is the same move, which changes nothing, and every match ends with a result."""
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(act="pass"))

    said = user.out("connect", bot, "--variant", "suitability-2", "--length", "deal", "--matches", 3, "--tables", 2)

    assert said.count("rank ") == 3 + 1  # and the summary
    assert said.count("heard ") == 3
    assert "3 matches: mean score" in said
    assert "time of an answer: half within" in said
    bridge = user.fake
    assert isinstance(bridge, Losing)
    questions = {(path, json.loads(body)["number"]) for path, body in bridge.moves}
    assert len(questions) == len(set(bridge.moves)) < len(bridge.moves)


def test_bot_that_fails_plays_on_with_the_first_legal_action(user: Client, tmp_path: Path) -> None:
    """The author reads once why; the table has a result."""
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(act="raise ValueError('oh')"))
    said = user.out("connect", bot, "--variant", "suitability-2", "--length", "deal")
    assert said.count("error: ValueError: oh, line 12 of bot.py; from now on the first legal action is played") == 1
    assert "1 matches: mean score" in said

    bot.write_text("def act(view):\n    return 'XX'\n")
    said = user.out("connect", bot, "--variant", "suitability-2", "--length", "deal")
    assert said.count("illegal: act returned 'XX'; legal were ") == 1


def test_refusals_of_the_arena_are_sentences(user: Client, tmp_path: Path) -> None:
    """An unknown opponent ends the command, as do a folder that is no bot and a token without rights."""
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(act="pass"))

    refused = user.run("connect", bot, "--against", "nobody", code=1)

    assert "nobody does not play Suitability by David Parlett with people" in refused.output
    user.environ["ARENA_TOKEN"] = TOKEN
    assert "arena login" in user.run("connect", bot, code=None).output


ASKED = {
    "table": "abc", "number": 4, "seat": 0, "seats": ["a", "b"], "variant": "suitability-2", "game": "suitability",
    "options": {"players": 2}, "view": {"legal": ["7h", "8h"]}, "events": [],
}  # fmt: skip
OVER = {
    "table": "abc", "state": "finished", "problem": None, "seat": 0, "scores": [5, 3], "ranks": [1, 2], "events": [],
}  # fmt: skip


def connection(fake: FakeArena, pauses: list[float]) -> Connection:
    """Return a connection to an arena whose answers the test decides."""
    source = BOT.format(act="pass").encode()
    link = Link(Remote(URL, TOKEN, pauses.append), WAIT)
    return Connection(link, SharedBot(source, "bot.py").player, {}, 1, 1)


def answers(*asked: dict[str, Any], over: tuple[Any, ...] = (), pause: float = 0.0) -> Said:
    """Return an answer with these questions and results."""
    return Said({"cursor": "" if over else "abc:4", "questions": list(asked), "over": list(over), "pause": pause})


class Moves:
    """Answers to moves, after the last of which tables may end."""

    def __init__(self, fake: FakeArena, *answers: Answer) -> None:
        *first, self.last = answers
        self.made = Event()
        fake.on("POST /live-tables/abc/moves", *first, self.move)

    def move(self, request: requests.PreparedRequest) -> Said:
        """Answer the last move."""
        self.made.set()
        assert isinstance(self.last, Said)
        return self.last

    def over(self, result: dict[str, Any] = OVER) -> Callable[[requests.PreparedRequest], Said]:
        """Return the answer with a result, which waits for the last move."""
        return lambda _: answers(over=(result,)) if self.made.wait(60) else problem(500, "no move was made")


def test_arena_that_is_away_is_tried_again_without_end(fake: FakeArena) -> None:
    """The pauses grow to half a minute; then the match goes on where it was."""
    fake.on("POST /live-tables", Said({"code": "abc", "page": "/play/abc"}, 201))
    away = requests.ConnectionError("no route")
    moves = Moves(fake, away, problem(503, "The arena starts."), Said(b"", 204))
    fake.on("GET /seats/next", *[away] * 30, answers(), answers(ASKED), *[away] * 8, moves.over())
    pauses: list[float] = []

    connection(fake, pauses).run()

    assert max(pauses) == 8.0
    assert sum("/moves" in one.path_url for one in fake.asked) == 3
    assert "after=abc%3A4" in [one.path_url for one in fake.asked if "/seats/next" in one.path_url][-1]


def test_client_pauses_as_the_arena_asks(fake: FakeArena) -> None:
    """An answer that could not wait names the seconds."""
    fake.on("POST /live-tables", Said({"code": "abc", "page": "/play/abc"}, 201))
    fake.on("GET /seats/next", answers(), answers(pause=1.0), answers(over=(OVER,)))
    pauses: list[float] = []

    connection(fake, pauses).run()

    assert pauses == [1.0]


def test_moved_table_and_lost_table_are_said(fake: FakeArena, capsys: pytest.CaptureFixture[str]) -> None:
    """A move that came too late is no failure, and a table without a result is not counted."""
    fake.on("POST /live-tables", Said({"code": "abc", "page": "/play/abc"}, 201))
    moves = Moves(fake, problem(409, "It is not your turn."))
    failed = {**OVER, "state": "failed", "problem": "the disk is full", "scores": None, "ranks": None}
    fake.on("GET /seats/next", answers(), answers(ASKED), moves.over(failed))

    found = connection(fake, [])
    found.run()

    assert list(found.summary()) == []
    said = capsys.readouterr().out
    assert "abc: It is not your turn." in said
    assert "abc: failed: the disk is full" in said


def test_ctrl_c_finishes_what_is_at_play(fake: FakeArena) -> None:
    """The first one opens nothing more; the second one ends the command."""
    pressed = list[int]()

    def press(_: requests.PreparedRequest) -> Said:
        os.kill(os.getpid(), signal.SIGINT)
        pressed.append(signal.SIGINT)
        return answers(ASKED)

    fake.on("POST /live-tables", Said({"code": "abc", "page": "/play/abc"}, 201))
    fake.on("GET /seats/next", answers(), press, answers(over=(OVER,)))
    fake.on("POST /live-tables/abc/moves", Said(b"", 204))
    found = connection(fake, [])
    found._matches = 5
    before = signal.getsignal(signal.SIGINT)

    with asked_to_end(found):
        found.run()

    assert len(list(found.summary())) == 1
    assert len(pressed) == 1
    assert signal.getsignal(signal.SIGINT) is before


@contextmanager
def drawing(arena: Arena) -> Iterator[None]:
    """Let ladders draw tables during a block, as sweeps do."""
    stop = Event()

    def draw() -> None:
        while not stop.wait(0.05):
            start_missing(arena)
            advance_all(arena)

    thread = Thread(target=draw)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_bot_plays_rated_matches(user: Client, arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot is declared once, offers the tables that are still wanted, and is rated in its division at the end."""
    monkeypatch.setattr(Remote.__init__, "__defaults__", (lambda seconds: time.sleep(min(seconds, 0.05)), None))
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(act="pass"))
    words = ("connect", bot, "--as", "comet", "--division", "slow", "--variant", "suits-steere-3", "--commit", "1a2b")

    with drawing(arena):
        said = user.out(*words, "--matches", 2, "--tables", 2)
        again = user.out(*words, "--matches", 1)

    assert said.startswith("comet: version 1, ")
    assert said.count(": rank ") >= 2
    assert again.startswith("comet: version 1, ")
    with arena.reading() as session:
        rated = select(CurrentRating.variant, CurrentRating.tables)
        bots = rated.join(Bot, Bot.active_version_id == CurrentRating.version_id).where(Bot.name == "comet")
        ((variant, tables),) = session.execute(bots).all()
        assert variant == "suits-steere-3-slow"
        assert tables >= 3
        assert session.scalars(select(Presence.tables)).one() == 0


def test_words_for_rated_matches_need_a_name(user: Client, tmp_path: Path) -> None:
    """A practice table has no division."""
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(act="pass"))

    assert "give --as" in user.run("connect", bot, "--division", "slow", code=2).output
