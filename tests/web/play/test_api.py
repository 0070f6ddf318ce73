"""Programs at live tables through the API: status codes, waiting, and what no answer may hold."""

from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask

from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots.house import ensure_house
from arena.services.people import keys
from arena.services.people.keys import Scope
from tests import factories
from tests.cli.processes import until
from tests.services.live.test_host import hosting
from tests.web.api.conftest import Program
from web.play import api

VARIANT = "separate-suits-2"


@pytest.fixture
def account(arena: Arena) -> Account:
    """A member whose programs play."""
    ensure_house(arena)
    return factories.user(arena, "ada")


@pytest.fixture
def program(arena: Arena, app: Flask, account: Account) -> Program:
    """A program of the member."""
    return Program(app, keys.make(arena, account, "test", [Scope.UPLOAD]))


def question(program: Program) -> dict[str, Any]:
    """Return the only open question, once it is there."""
    until(lambda: program.get("/seats/next")["questions"], "a question")
    return program.get("/seats/next")["questions"][0]  # type: ignore[no-any-return]


def test_program_plays_a_deal(arena: Arena, program: Program) -> None:
    """A program opens a table, asks, moves, and reads its result: there once, and at the table ever after."""
    made = program.send("POST", "/live-tables", 201, {"variant": VARIANT, "length": "deal"})
    cursor, over = "", list[Any]()
    with hosting(arena):
        while not over:
            found = program.get(f"/seats/next?after={cursor}")
            for one in found["questions"]:
                move = {"number": one["number"], "action": one["view"]["legal"][0]}
                program.send("POST", f"/live-tables/{one['table']}/moves", 204, move)
            cursor, over = found["cursor"], found["over"]

    table = program.get(made["link"].removeprefix("/api/v1"))
    assert found["pause"] == 0.0
    assert (over[0]["table"], over[0]["state"], over[0]["scores"]) == (made["code"], "finished", table["scores"])
    assert table["seats"][table["seat"]]["name"] == "ada's program"
    assert program.get(f"/seats/next?after={cursor}") == {"cursor": "", "questions": [], "over": [], "pause": 0.0}


def test_refused_moves_are_problems_with_what_is_allowed(arena: Arena, program: Program) -> None:
    """An illegal action is 422 with the legal ones, one for another number 409; a malformed one names its field."""
    code = program.send("POST", "/live-tables", 201, {"variant": VARIANT})["code"]
    with hosting(arena):
        one = question(program)
    path, number, legal = f"/live-tables/{code}/moves", one["number"], one["view"]["legal"]

    illegal = program.send("POST", path, 422, {"number": number, "action": "XX"})
    assert illegal["detail"] == f"'XX' is not allowed now. Allowed: {' '.join(legal)}."
    assert "has the number" in program.send("POST", path, 409, {"number": number + 1, "action": legal[0]})["detail"]
    for body in ({"number": number}, {"number": "x", "action": legal[0]}, {"number": number, "action": [legal[0]]}):
        assert program.send("POST", path, 400, body)["errors"]
    for action in (legal[0], legal[0]):
        program.send("POST", path, 204, {"number": number, "action": action})
    assert "made already" in program.send("POST", path, 409, {"number": number, "action": legal[1]})["detail"]


def test_token_in_the_address_does_not_authorise(program: Program) -> None:
    """Addresses are kept in logs, so a key in one is no key: others have played with keys that they found there."""
    token, program.headers = program.headers["Authorization"].removeprefix("Bearer "), {}
    for name in ("token", "access_token", "key", "api_key", "apikey", "authorization"):
        for given in (token, f"Bearer {token}"):
            program.get(f"/seats/next?{name}={quote(given)}", 401)
            program.send("POST", f"/live-tables?{name}={quote(given)}", 401, {"variant": VARIANT})


def test_bad_tables_are_refused_in_a_sentence(program: Program) -> None:
    """Neither the variant nor the length nor an opponent needs to exist."""
    for wrong in ({"variant": "chess"}, {"length": "long"}, {"strength": "weak"}, {"bots": ["nobody"]}):
        problem = program.send("POST", "/live-tables", 422, {"variant": VARIANT, **wrong})
        assert next(iter(wrong)) in problem["detail"] or "nobody does not play" in problem["detail"]
    program.get("/live-tables/x", 404)
    program.send("POST", "/live-tables/x/moves", 404, {"number": 0, "action": "5"})
    program.get("/seats/next?wait=26", 400)


def test_server_that_cannot_let_requests_wait_names_a_pause(program: Program) -> None:
    """The answer holds what there is, and says after how many seconds to ask again."""
    assert program.get("/seats/next?wait=25") == {"cursor": "", "questions": [], "over": [], "pause": api.PAUSE}
