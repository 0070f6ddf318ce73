"""The mock arena of the client's check answers as the API does."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
import requests
from flask import Flask

from arena.cli.conformance import troubles
from arena.cli.conformance.server import TOKEN, MockArena
from arena.services.base.context import Arena
from arena.services.bots.house import ensure_house
from arena.services.people import keys
from arena.services.people.keys import Scope
from tests import factories
from tests.services.live.test_host import hosting
from tests.web.api.conftest import Program

Send = Callable[[str, str, Any], tuple[int, Any]]
"""Sends a request with a body, and returns the status and the answer."""
VARIANT = "suitability-2"


@pytest.fixture
def real(arena: Arena, app: Flask) -> Send:
    """The API."""
    ensure_house(arena)
    program = Program(app, keys.make(arena, factories.user(arena, "ada"), "test", [Scope.UPLOAD]))

    def send(method: str, path: str, body: Any) -> tuple[int, Any]:
        given = {} if body is None else {"json": body}
        answer = program.client.open(f"/api/v1{path}", method=method, headers=program.headers, **given)
        return answer.status_code, answer.json

    return send


@pytest.fixture
def mock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Send]:
    """The mock arena, without troubles and without a table."""
    for name in ("ASKING", "MOVING", "OPENING"):
        monkeypatch.setattr(troubles, name, ())
    with closing(MockArena(bytes(32))) as made:
        made.tables.tables.clear()
        headers = {"Authorization": f"Bearer {TOKEN}"}

        def send(method: str, path: str, body: Any) -> tuple[int, Any]:
            answer = requests.request(method, f"{made.url}/api/v1{path}", headers=headers, json=body, timeout=60)
            return answer.status_code, answer.json() if answer.content else None

        yield send


def course(send: Send) -> Iterator[tuple[int, Any]]:
    """Yield the answers to all requests of a client that plays a deal, also wrong ones."""
    opened = send("POST", "/live-tables", {"variant": VARIANT, "length": "deal"})
    yield opened
    yield send("POST", "/live-tables", {"variant": "chess"})
    path = f"/live-tables/{opened[1]['code']}"
    yield send("GET", "/live-tables/none", None)
    yield send("POST", "/live-tables/none/moves", {"number": 0, "action": "7h"})
    cursor, over, last = "", list[Any](), (0, "")
    while not over:
        status, found = send("GET", f"/seats/next?after={cursor}&wait=20", None)
        yield status, found
        for one in found["questions"]:
            number, legal = one["number"], one["view"]["legal"]
            last = number, legal[-1]
            for move in ((number, "XX"), (number + 1, legal[-1]), last, last, (number, legal[0])):
                yield send("POST", f"{path}/moves", {"number": move[0], "action": move[1]})
        cursor, over = found["cursor"], found["over"]
    yield send("GET", f"/seats/next?after={cursor}", None)
    for number, action in (last, (last[0], "XX"), (999, "XX")):
        yield send("POST", f"{path}/moves", {"number": number, "action": action})


def shape(value: Any) -> Any:
    """Return the fields of an answer with the types of their values, and the words of a sentence before its details."""
    if isinstance(value, dict) and "detail" in value:
        return " ".join(word for word in value["detail"].partition(":")[0].split() if word.isalpha())
    if isinstance(value, dict):
        inner = ("view", "options", "events")
        return {name: shape(one) if name not in inner else type(one) for name, one in sorted(value.items())}
    if isinstance(value, list):
        return [shape(one) for one in value[:1]]
    return type(value)


def test_mock_arena_answers_as_the_api_does(arena: Arena, real: Send, mock: Send) -> None:
    """Statuses, fields and sentences are the same; the deals are not."""
    with hosting(arena):
        expected = {repr((status, shape(answer))) for status, answer in course(real)}

    assert {repr((status, shape(answer))) for status, answer in course(mock)} == expected
