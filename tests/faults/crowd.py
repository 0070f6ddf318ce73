"""People who play by HTTP while the machinery of live tables is killed, with a bot that remembers what it is asked."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPException
from itertools import cycle
from threading import Event, Thread
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from arena.games.chance import bot_seed
from arena.match.referee import play
from arena.services.base.context import Arena
from arena.services.live import positions
from tests import factories
from tests.cages import LocalPlayer
from tests.classroom.browser import TOKEN
from tests.cli.processes import descendants, until
from tests.faults.live import PATIENT, Hosts, check_log
from tests.match.players import Scripted

VARIANTS: Final = (
    "suitability-4", "suit-yourself", "suitability-2", "suits-steere-3", "separate-suits-4-split", "suits-barnhart-4",
)  # fmt: skip
"""What the people play, in turn: nominations, claims, bids, passing, packets, and cards put back between hands."""
PHASES: Final = frozenset({"Make", "Claim", "Lay", "Pass", "Set", "Put", "Follow", "Choose"})
"""First words of the questions of phases in which something must have been killed."""
SLOW: Final = 0.6
"""Most seconds that a person thinks."""
MEMORY: Final = b'''
import json
from zlib import crc32
from arena.sdk import Bot


class Memory(Bot):
    """Chooses by everything that it has been told and asked, in this order."""

    def on_start(self):
        self.heard = 0

    def on_event(self, event):
        self.hear(dict(event))

    def act(self, view):
        self.hear(list(view.legal))
        return view.legal[self.heard % len(view.legal)]

    def hear(self, what):
        self.heard = crc32(json.dumps(what, sort_keys=True).encode(), self.heard)
'''


class Web:
    """The web server as a process of its own, which can be killed."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.address = f"http://127.0.0.1:{arena.settings.port}"
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        with (self.arena.settings.home / "web.log").open("ab") as file:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "web"],
                env={**os.environ, **self.arena.settings.environ()},
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until(self._answers, "the web server answers", PATIENT)

    def _answers(self) -> bool:
        with suppress(OSError, HTTPException), build_opener().open(f"{self.address}/play", timeout=20):
            return True
        return False

    def replace(self) -> None:
        """Kill the whole server, and start another."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.start()

    def kill_process(self, rng: random.Random) -> None:
        """Kill one of the processes that answer requests."""
        with suppress(ProcessLookupError):
            os.kill(rng.choice(descendants(self._process.pid)), signal.SIGKILL)

    def close(self) -> None:
        """End the server."""
        self._process.terminate()
        self._process.wait(PATIENT)


class Visitor(Thread):
    """A guest who plays one table after another, and sends again what is not answered."""

    def __init__(self, address: str, first: int) -> None:
        super().__init__(name=f"visitor {first}", daemon=True)
        self.address, self._rng = address, random.Random(first)
        self._variants = cycle((*VARIANTS[first:], *VARIANTS[:first]))
        self.leaving = Event()
        """Set when no other table is to be opened."""
        self.played: dict[str, dict[int, str]] = {}
        """The confirmed moves of each table by number, by code."""
        self.moves = 0
        """Number of confirmed moves at all tables."""
        self.asked = ""
        """First word of the question at hand."""
        self.answers: Counter[int] = Counter()
        """Numbers of answers by status."""
        self.error: BaseException | None = None

    def run(self) -> None:
        """Play until it is time to leave."""
        try:
            while not self.leaving.is_set():
                self._play(next(self._variants))
        except BaseException as error:
            self.error = error

    def _play(self, variant: str) -> None:
        self._opener = build_opener(HTTPCookieProcessor())
        sent = {"variant": variant, "length": "deal", "strength": "easy", "bot": "memory"}
        page, at = self._fetch("/play", {**sent, **self._token(self._fetch("/play")[0])})
        code = at.rpartition("/")[2]
        assert code != "play", f"{variant} was not opened: {page}"
        own, token = self.played.setdefault(code, {}), self._token(page)
        while (table := json.loads(self._fetch(f"/play/{code}/state.json?steps=0")[0]))["state"] == "playing":
            question = table["question"]
            if question and question["number"] not in own:
                self._move(code, question, own, token)
            else:
                time.sleep(0.1)
        assert table["state"] == "finished", table
        self.asked = ""

    def _move(self, code: str, question: Mapping[str, Any], own: dict[int, str], token: Mapping[str, str]) -> None:
        """Make a move, sometimes twice, and sometimes another one with its number, which changes nothing."""
        self.asked = question["text"].partition(" ")[0]
        time.sleep(self._rng.random() * SLOW)
        tokens = [action["token"] for action in question["actions"]]
        choice = self._rng.choice(tokens)
        sent = {**token, "number": question["number"], "token": choice, "steps": 10_000}
        self._fetch(f"/play/{code}/moves", sent)
        own[question["number"]] = choice
        self.moves += 1
        if self._rng.random() < 0.2:
            self._fetch(f"/play/{code}/moves", sent)
            other = next(one for one in tokens if one != choice)
            self._fetch(f"/play/{code}/moves", {**sent, "token": other}, refused=409)

    def _token(self, page: str) -> dict[str, str]:
        found = TOKEN.search(page)
        assert found, page
        return {"csrf_token": found[1]}

    def _fetch(self, path: str, fields: Mapping[str, object] | None = None, refused: int = 200) -> tuple[str, str]:
        """Return an answer and its address; ask again while nobody answers, or the arena says that it cannot."""
        data = urlencode(fields).encode() if fields else None
        headers = {"Accept": "application/json"} if path.endswith("/moves") else {}
        while True:
            with suppress(OSError, HTTPException):
                request = Request(self.address + path, data, headers)  # noqa: S310 -- the server of this test
                status, body, at = self._once(request)
                self.answers[status] += 1
                assert "Traceback" not in body, body
                if status not in (429, 503):
                    assert status == refused, f"{path} gave {status}: {body[:2000]}"
                    return body, at
            time.sleep(0.1)

    def _once(self, request: Request) -> tuple[int, str, str]:
        try:
            with self._opener.open(request, timeout=20) as answer:
                return answer.status, answer.read().decode(), answer.url
        except HTTPError as error:
            return error.code, error.read().decode(), error.url


class Crowd:
    """People at tables of several games."""

    def __init__(self, running: Hosts, web: Web) -> None:
        self.running, self.web = running, web
        self.visitors = [Visitor(web.address, first) for first in range(len(VARIANTS))]
        self.phases: set[str] = set()
        """First words of the questions that people had before them at a kill."""
        for visitor in self.visitors:
            visitor.start()
        self.check_recovery()

    def await_moment(self, seconds: float) -> None:
        """Wait some seconds, or longer for a phase in which nothing has been killed yet; note the phases at the end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end or (PHASES - self.phases and time.monotonic() < end + 3.0):
            now = {visitor.asked for visitor in self.visitors}
            if now & (PHASES - self.phases):
                break
            time.sleep(0.01)
        self.phases |= {visitor.asked for visitor in self.visitors}

    def check_recovery(self) -> None:
        """Wait until each of them has moved."""
        before = [visitor.moves for visitor in self.visitors]
        until(lambda: self._errors() or self._moved(before), "everybody has moved again", PATIENT)
        assert not self._errors(), self._errors()

    def _moved(self, before: list[int]) -> bool:
        return all(visitor.moves > moves for visitor, moves in zip(self.visitors, before, strict=True))

    def _errors(self) -> list[BaseException]:
        return [visitor.error for visitor in self.visitors if visitor.error]

    def finish(self) -> None:
        """Let everybody play to the end, and check all tables."""
        for visitor in self.visitors:
            visitor.leaving.set()
        for visitor in self.visitors:
            visitor.join(PATIENT)
            assert not visitor.is_alive(), "a table does not end"
        assert not self._errors(), self._errors()
        for visitor in self.visitors:
            for code, confirmed in visitor.played.items():
                check_undisturbed(self.running.arena, code, confirmed)


def check_undisturbed(arena: Arena, code: str, confirmed: Mapping[int, str]) -> None:
    """Check a table, and that its bots did what they do if they are told and asked everything once."""
    boards, found = check_log(arena, code, confirmed)
    own = boards.bots.index(None)
    mine = iter([token for seat, token in found["moves"] if seat == own])
    rules = positions.rules_of(boards)
    seats = range(rules.players)
    again = play(
        rules,
        [
            Scripted(lambda _: next(mine), wants_forced=True) if seat == own else LocalPlayer(MEMORY, "bot.py")
            for seat in seats
        ],
        found["seats"],
        positions.drawer(rules, boards.seed),
        [bot_seed(boards.seed, 0, seat) for seat in seats],
    )
    assert again.record["moves"] == found["moves"]


@contextmanager
def crowd(running: Hosts) -> Iterator[Crowd]:
    """Yield people at tables with bots that remember, and end the web server."""
    factories.bot(running.arena, factories.user(running.arena, "owner"), "memory", MEMORY)
    web = Web(running.arena)
    try:
        yield Crowd(running, web)
    finally:
        web.close()
