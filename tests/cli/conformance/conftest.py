"""A mock arena in a hurry, and a client that a careful author has written, which can be told to do one thing wrong."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

import pytest
import requests

from arena.cli.conformance import run, server
from arena.cli.conformance.server import TOKEN, MockArena
from arena.remote import connect, link

SEED = bytes(32)
TIMEOUT = 2.0
"""Seconds after which the careful client gives up a request."""


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make all pauses short."""
    for module, names in {
        server: {"DOWN": 0.3, "SLOWNESS": 0.1, "PAUSE": 0.5, "RETRY_AFTER": 1},
        run: {"GRACE": 0.1, "WAIT": 0.2, "IDLE": 3.0},
        link: {"FIRST_PAUSE": 0.1, "MARGIN": 1.0},
        connect: {"SILENCE": 5.0},
    }.items():
        for name, value in names.items():
            monkeypatch.setattr(module, name, value)


@pytest.fixture
def mock() -> Iterator[MockArena]:
    """A mock arena."""
    made = MockArena(SEED, patience=6.0)
    yield made
    made.close()


class RawClient:
    """A client in a few lines, as an author writes it. `wrong` names the one thing that it does wrong."""

    def __init__(self, url: str, wrong: str = "") -> None:
        self.url, self.wrong = f"{url}/api/v1", wrong
        self.headers = {"Authorization": f"Bearer {TOKEN}"}
        self.cursor = ""
        self.opened = 0
        self.stopped = False

    @contextmanager
    def playing(self, tables: int) -> Iterator[None]:
        """Play in a thread, which stops at the end: another mock arena may listen on the same port then."""

        def play() -> None:
            with suppress(requests.RequestException):  # the one that gives up
                self.play(tables)

        thread = Thread(target=play, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.stopped = True
            thread.join()

    def ask(self, method: str, path: str, **more: Any) -> Any:
        """Send a request until there is an answer; None if it is refused, or the client is stopped."""
        headers = {**self.headers, **more.pop("headers", {})}
        while not self.stopped:
            try:
                answer = requests.request(method, self.url + path, headers=headers, timeout=TIMEOUT, **more)
                if answer.status_code in (401, 429, 502, 503):
                    time.sleep(0 if self.wrong == "hurries" else int(answer.headers.get("Retry-After", 0)))
                    continue
                return answer.json() if answer.status_code in (200, 201) else None
            except (requests.RequestException, ValueError):
                if self.wrong == "gives up":
                    raise
                time.sleep(0.1)
        return None

    def play(self, tables: int) -> None:
        """Open tables in turn and play them to their end."""
        ended = set[str]()
        while found := self.ask("GET", "/seats/next", params=self.query()):
            ended |= {one["table"] for one in found["over"]}
            if self.wrong == "does not wait":
                for _ in range(20):
                    self.ask("GET", "/seats/next", params={"after": found["cursor"]})
            if self.wrong == "goes on after the end":
                for code in ended:
                    self.ask("POST", f"/live-tables/{code}/moves", json={"number": 99, "action": "7h"})
            playing = [one for one in found["questions"] if one["table"] not in ended]
            for one in playing:
                self.answer(one)
            self.cursor = found["cursor"]
            time.sleep(0 if self.wrong == "ignores pause" else found["pause"])
            if not playing and not found["questions"]:
                if self.opened == tables:
                    return
                self.opened += 1
                key = {"Idempotency-Key": str(self.opened)}
                self.ask("POST", "/live-tables", json={"variant": "suitability-4"}, headers=key)

    def query(self) -> dict[str, str]:
        """Return the query of a request for questions."""
        token = {"token": TOKEN} if self.wrong == "token in address" else {}
        return {"after": self.cursor, "wait": "0.3", **token}

    def answer(self, asked: dict[str, Any]) -> None:
        """Answer a question."""
        path, number, legal = f"/live-tables/{asked['table']}/moves", asked["number"], asked["view"]["legal"]
        if self.wrong == "does not learn":
            for _ in range(2):
                self.ask("POST", path, json={"number": number, "action": "XX"})
        if self.wrong == "forgets its type":
            self.ask("POST", path, data="{}")
        if self.wrong == "leaves a table" and asked["table"] == "table-1":
            return
        self.ask("POST", path, json={"number": number, "action": legal[-1]})
        if self.wrong == "answers twice":
            self.ask("POST", path, json={"number": number, "action": legal[0]})
        if self.wrong == "guesses":
            self.ask("POST", path, json={"number": number + 99, "action": legal[0]})
