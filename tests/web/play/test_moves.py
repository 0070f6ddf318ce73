"""Moves by forms and by the script: what is refused is answered in a sentence, and nothing changes."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from arena.services.base.context import Arena
from tests.services.live.people import ANN, BEN, EVE, logged, question, seated
from tests.web.conftest import words
from tests.web.play.test_hiding import browser
from web.app import create_app
from web.serving.limits import limiter

VARIANT = "separate-suits-2"
SCRIPT = {"Accept": "application/json"}
REFUSED = {
    "illegal": ("0", "5H", 422, "'5H' is not allowed now. Allowed: 2 3 4 5 6 7 8 9 T J Q K A."),
    "empty": ("0", "", 422, "'' is not allowed now."),
    "long": ("0", "5" * 50_000, 422, "is not allowed now."),
    "NUL": ("0", "5\0", 422, r"'5\x00' is not allowed now."),
    "surrogate": ("0", "%ED%A0%80", 422, "is not allowed now."),
    "other number": ("7", "5", 409, "Your next move has the number 0, not 7."),
    "negative": ("-1", "5", 409, "Your next move has the number 0, not -1."),
    "huge": ("9" * 400, "5", 409, "Your next move has the number 0"),
    "no number": ("x", "5", 409, "Your next move has the number 0"),
}


def sent(client: FlaskClient, code: str, number: str, token: str, **headers: str) -> TestResponse:
    """Send a move."""
    body = f"number={number}&token={token}".replace("\0", "%00")
    kind = "application/x-www-form-urlencoded"
    return client.post(f"/play/{code}/moves", data=body, content_type=kind, headers=headers)


@pytest.fixture
def code(arena: Arena) -> str:
    """Return the code of a table of two guests, who choose at the same time."""
    return seated(arena, VARIANT)


@pytest.mark.parametrize(("number", "token", "status", "reason"), REFUSED.values(), ids=REFUSED)
def test_refused_move_changes_nothing(
    app: Flask, arena: Arena, code: str, number: str, token: str, status: int, reason: str
) -> None:
    """The script gets a status and the reason with the position, a browser gets the table with the reason."""
    client = browser(app, ANN)
    asked = question(arena, code, ANN)

    answer = sent(client, code, number, token, **SCRIPT)
    page = sent(client, code, number, token)

    assert answer.status_code == status
    assert reason in answer.get_json()["problem"]
    assert answer.get_json()["question"]["number"] == 0
    assert page.status_code == 303
    assert reason in words(client.get(page.location).text)
    assert logged(arena, code) == []
    assert question(arena, code, ANN) == asked


def test_same_move_again_has_the_same_answer(app: Flask, arena: Arena, code: str) -> None:
    """A script that got no answer sends the move again."""
    client = browser(app, ANN)

    first, second = (sent(client, code, "0", "5", **SCRIPT) for _ in range(2))
    other = sent(client, code, "0", "6", **SCRIPT)

    assert first.status_code == second.status_code == 200
    assert first.data == second.data
    assert (other.status_code, other.get_json()["problem"]) == (409, "Move 0 was made already: 5.")
    assert logged(arena, code) == [(0, 0, "5")]


@pytest.mark.parametrize("headers", [SCRIPT, {}], ids=["script", "form"])
def test_strangers_cannot_move(app: Flask, arena: Arena, code: str, headers: dict[str, str]) -> None:
    """Moves of others are forbidden, and those at no table are not found."""
    for client in (browser(app, EVE), browser(app, None)):
        refused = sent(client, code, "0", "5", **headers)
        assert refused.status_code == 403
        assert "Only the people at this table can move here." in words(refused.text)
    assert sent(browser(app, ANN), "none", "0", "5", **headers).status_code == 404
    assert logged(arena, code) == []


def test_move_needs_a_token_against_forgery(arena: Arena, code: str) -> None:
    """Without the token of the page nothing happens; with it the move is made."""
    app = create_app(arena, {"SHARED_SECONDS": 0.0})
    limiter.reset()
    client = browser(app, ANN)

    forged = sent(client, code, "0", "5", **SCRIPT)

    assert forged.status_code == 400
    assert "Nothing was changed." in words(forged.text)
    assert logged(arena, code) == []
    token = re.findall(r'name="csrf_token"[^>]*value="([^"]+)"', client.get(f"/play/{code}").text)[0]
    assert sent(client, code, "0", f"5&csrf_token={token}", **SCRIPT).status_code == 200
    assert logged(arena, code) == [(0, 0, "5")]


def test_secret_choice_is_not_told_by_a_refusal(app: Flask, code: str) -> None:
    """A person who sends a move with the number of another seat learns nothing of its choice."""
    guess = browser(app, BEN)
    before = sent(guess, code, "0", "5", **SCRIPT)

    assert sent(browser(app, ANN), code, "0", "5", **SCRIPT).status_code == 200

    after = sent(guess, code, "0", "5", **SCRIPT)
    assert (after.status_code, after.data) == (before.status_code, before.data) == (409, before.data)
