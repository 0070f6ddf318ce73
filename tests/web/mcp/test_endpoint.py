"""The tools over HTTP: what a client may send, and that nothing is allowed that the API does not allow."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots.house import ensure_house
from arena.services.people import keys
from arena.services.people.keys import Scope
from tests import factories
from tests.services.live.test_host import hosting
from tests.web.conftest import FIRST_LEGAL
from web.api import MCP, PREFIX
from web.serving.security import FORM_CAP

VARIANT: Final = "separate-suits-2"
HEADERS: Final = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
CALL: Final = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}


class Model:
    """A model with a token."""

    def __init__(self, app: Flask, token: str) -> None:
        self.client, self.headers = app.test_client(), {**HEADERS, "Authorization": f"Bearer {token}"}

    def post(self, body: Any, status: int = 200, **headers: str) -> TestResponse:
        """Send a request."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        response = self.client.post(MCP, data=data, headers={**self.headers, **headers})
        assert response.status_code == status, response.text
        return response

    def call(self, tool: str, error: bool = False, **arguments: Any) -> str:
        """Return the answer of a tool, or with `error` its refusal."""
        result = self.post({**CALL, "params": {"name": tool, "arguments": arguments}}).json["result"]  # type: ignore[index]
        assert result["isError"] is error, result
        return str(result["content"][0]["text"])


@pytest.fixture
def account(arena: Arena) -> Account:
    """A member."""
    return factories.user(arena, "ada")


@pytest.fixture
def model(arena: Arena, app: Flask, account: Account) -> Callable[..., Model]:
    """Function that returns a model of the member, whose token has a scope."""
    return lambda scope=Scope.UPLOAD: Model(app, keys.make(arena, account, "test", [scope]))


def test_model_plays_and_uploads(arena: Arena, model: Callable[..., Model]) -> None:
    """Each request stands alone, without a handshake; what a model may not do it reads in the API's words."""
    ensure_house(arena)
    ada = model()
    table = json.loads(ada.call("start_table", variant=VARIANT))["table"]
    with hosting(arena):
        turn = json.loads(ada.call("wait_for_turn"))
        refusal = ada.call("play_move", True, table=table, number=turn["questions"][0]["number"], action="XX")
        while turn["questions"]:
            (one,) = turn["questions"]
            move = {"number": one["number"], "action": one["view"]["legal"][0], "cursor": turn["cursor"]}
            turn = json.loads(ada.call("play_move", table=table, **move))
            while not turn["questions"] and not turn["over"]:
                turn = json.loads(ada.call("wait_for_turn", cursor=turn["cursor"]))

    assert "Allowed: 2 3 4 5" in refusal
    assert json.loads(ada.call("read_table", table=table))["scores"] == turn["over"][0]["scores"]
    for number in (1, 2):
        assert json.loads(ada.call("upload_bot", name="thrifty", source=FIRST_LEGAL))["number"] == number
    assert json.loads(ada.call("read_bot", name="thrifty"))["latest"]["state"] == "pending"
    assert ada.call("upload_bot", True, name="greedy", source=FIRST_LEGAL) == "greedy is not your bot."


def test_wrong_fields_are_named(model: Callable[..., Model]) -> None:
    """The sentence is the API's."""
    ada = model()
    assert "3 to 32 letters" in ada.call("upload_bot", True, name="a b c", source=FIRST_LEGAL)
    assert ada.call("start_table", True, variant=VARIANT, bots=["x" * 9999]).count("body.bots") == 1
    assert ada.call("read_leaderboard", True, variant="chess").startswith("There is no variant chess; ")


def test_token_is_needed_and_its_scope_counts(app: Flask, model: Callable[..., Model]) -> None:
    """A browser's session or a wrong token is 401; a token that may only read is refused by what acts."""
    for headers in ({}, {"Authorization": "Bearer suit_wrong"}):
        response = app.test_client().post(MCP, data=b"{}", headers={**HEADERS, **headers})
        assert (response.status_code, response.mimetype) == (401, "application/problem+json")
        assert response.headers["WWW-Authenticate"].startswith("Bearer")

    reader = model(Scope.READ)

    assert json.loads(reader.call("list_games"))
    assert reader.call("start_table", True, variant=VARIANT) == (
        "This operation needs a token with the scope upload; this one has: read."
    )


def test_what_is_no_request_is_refused(model: Callable[..., Model]) -> None:
    """Garbage, batches and unknown methods and tools get errors of JSON-RPC, without a traceback."""
    ada = model()
    for body, status, code in (
        (b"{garbage", 400, -32700),
        (b"\xff\xfe", 400, -32700),
        (b"[" * 100_000, 400, -32700),
        ([CALL], 400, -32602),
        ({**CALL, "method": "chess"}, 200, -32601),
        ({**CALL, "params": {"name": "chess"}}, 200, -32602),
    ):
        assert ada.post(body, status).json["error"]["code"] == code  # type: ignore[index]
    assert ada.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, 202).data == b""
    assert "list_games" in ada.post({**CALL, "params": {"name": "chess"}}).text
    ada.post(CALL, 406, Accept="text/html")
    ada.post(CALL, 400, **{"Content-Type": "text/plain"})


def test_large_body_is_not_read(app: Flask, model: Callable[..., Model]) -> None:
    """A member may send as much as in a form, a stranger less."""
    ada = model()
    assert ada.call("upload_bot", name="thrifty", source=FIRST_LEGAL + "#" * (FORM_CAP - 1000))
    assert ada.post(b" " * (FORM_CAP + 1), 413).json["status"] == 413  # type: ignore[index]


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost:3000", "http://localhost.evil", "null"])
def test_pages_of_other_sites_are_refused(model: Callable[..., Model], origin: str) -> None:
    """A page whose own name was pointed here has another Host, and one of another port is another site."""
    ada = model()
    assert ada.post(CALL, 403, Origin=origin).json["detail"] == "A page of another site may not use this address."  # type: ignore[index]
    ada.post(CALL, 421, Host="evil.example", Origin="http://evil.example")
    ada.post({**CALL, "method": "ping"}, Origin="http://localhost")


def test_address_keeps_no_session(app: Flask, model: Callable[..., Model]) -> None:
    """GET, which would open a stream, and DELETE, which would end a session, are not allowed."""
    ada = model()
    for method in ("GET", "DELETE"):
        response = ada.client.open(MCP, method=method, headers=ada.headers)
        assert (response.status_code, "POST" in response.headers["Allow"]) == (405, True)
    assert "Mcp-Session-Id" not in ada.post({**CALL, "method": "ping"}).headers


def test_calls_and_what_they_ask_for_are_counted_apart(arena: Arena, app: Flask, model: Callable[..., Model]) -> None:
    """The requests of a tool count as those of the token to the API."""
    ada = model()
    app.extensions["arena"] = replace(arena, settings=replace(arena.settings, api_requests=3))
    listed = {**CALL, "params": {"name": "read_bot", "arguments": {"name": "nobody"}}}

    left = [ada.post(listed).headers["RateLimit"] for _ in range(2)]
    assert [";r=2;" in left[0], ";r=1;" in left[1]] == [True, True]
    for _ in range(2):
        app.test_client().get(f"{PREFIX}/bots", headers=ada.headers)
    refusal = ada.call("read_bot", True, name="nobody")
    assert refusal.startswith("Wait for the number of seconds in `Retry-After`. `Retry-After` is ")
    refused = ada.post({**CALL, "method": "ping"}, 429)
    assert refused.json["title"] == "Too many requests"  # type: ignore[index]
    assert int(refused.headers["Retry-After"]) <= 60
