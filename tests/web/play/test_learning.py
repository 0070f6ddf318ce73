"""Learning tools on a practice table's page, without a host: in Separate Suits a person may choose at once."""

import re
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from arena.db.models import LiveMove, LiveTable
from arena.services.base.context import Arena
from arena.services.bots.house import ensure_house
from tests.web.conftest import Person, words

JSON = {"Accept": "application/json"}


@pytest.fixture(autouse=True)
def house(arena: Arena) -> None:
    """House bots."""
    ensure_house(arena, games=())


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers to moves that do not wait for bots."""
    monkeypatch.setattr("arena.services.live.tables.look_after.__defaults__", (0.0,))


def opened(visitor: Person, length: str = "deal") -> str:
    """Open a table and return its address."""
    answer = visitor.client.post("/play", data={"variant": "separate-suits-4", "length": length, "strength": "easy"})
    return answer.location


def state_of(visitor: Person, table: str) -> Any:
    """Return what the script knows of a table."""
    return visitor.client.get(f"{table}/state.json").get_json()


def choose(visitor: Person, table: str) -> None:
    """Choose the first card."""
    question = state_of(visitor, table)["question"]
    visitor.send(f"{table}/moves", number=question["number"], token=question["actions"][0]["token"])


def test_move_is_taken_back_by_a_form(visitor: Person, arena: Arena) -> None:
    """The form of the page leads back to the table, where the question is asked again."""
    table = opened(visitor)
    before = state_of(visitor, table)["question"]
    choose(visitor, table)
    page = visitor.visit(table)
    (address,) = set(re.findall(r'action="([^"]+/undo)"', page))

    visitor.send(address)

    assert state_of(visitor, table)["question"] == before
    with arena.reading() as session:
        assert session.scalars(select(LiveMove)).all() == []
        assert session.scalars(select(LiveTable.undone)).all() == [1]


def test_script_gets_all_frames_after_an_undo(visitor: Person) -> None:
    """A browser that has not heard of the undo gets every frame, because some of its own are no longer true."""
    table = opened(visitor)
    choose(visitor, table)
    answer = visitor.client.post(f"{table}/undo", data={"steps": 1, "undone": 0}, headers=JSON)

    assert answer.status_code == 200
    body = answer.get_json()
    assert (body["from"], body["undone"]) == (0, 1)
    late = visitor.client.get(f"{table}/state.json?steps=1&undone=0").get_json()
    assert late["from"] == 0
    current = visitor.client.get(f"{table}/state.json?steps=1&undone=1").get_json()
    assert current["from"] == 1


def test_nothing_to_take_back_is_a_conflict(visitor: Person) -> None:
    """Before the first decision the script gets a sentence with 409, and the form shows it."""
    table = opened(visitor)

    answer = visitor.client.post(f"{table}/undo", headers=JSON)

    assert answer.status_code == 409
    assert answer.get_json()["problem"] == "You have not decided anything yet."
    assert "You have not decided anything yet." in words(visitor.send(f"{table}/undo"))


def test_sets_have_no_learning_tools(visitor: Person) -> None:
    """The page of a deal of a set has no remarks and offers no undo; the address answers with 409 and a sentence."""
    table = opened(visitor, "set")
    assert {one["remark"] for one in state_of(visitor, table)["question"]["actions"]} == {""}
    choose(visitor, table)

    assert "p-learn" not in visitor.visit(table)
    answer = visitor.client.post(f"{table}/undo", headers=JSON)
    assert answer.status_code == 409
    assert "outside of sets of deals" in answer.get_json()["problem"]


def test_strangers_take_nothing_back(visitor: Person, app: Flask) -> None:
    """Spectators have no tools, and their undo is forbidden."""
    table = opened(visitor)
    choose(visitor, table)
    stranger = Person(app)

    assert "p-learn" not in stranger.visit(table)
    stranger.send(f"{table}/undo", status=403)


def test_hint_is_given_and_counted(visitor: Person, arena: Arena) -> None:
    """The script gets an estimate of every legal action of the question; one is the best."""
    table = opened(visitor)
    question = state_of(visitor, table)["question"]

    found = visitor.client.get(f"{table}/hint", headers=JSON).get_json()

    assert found["number"] == question["number"]
    assert [one["token"] for one in found["actions"]] == [one["token"] for one in question["actions"]]
    assert sum(one["best"] for one in found["actions"]) == 1
    assert [one["remark"] for one in found["actions"]] == [one["remark"] for one in question["actions"]]
    assert question["actions"][0]["remark"] == "Everybody else holds a higher card."
    assert found["hints"] == 1
    assert visitor.client.get(f"{table}/hint", headers=JSON).get_json() == {**found, "hints": 2}


def test_hint_is_a_page_without_a_script(visitor: Person) -> None:
    """The hint is a list of buttons that make the move."""
    table = opened(visitor)

    page = visitor.visit(f"{table}/hint")

    number = re.search(r'name="number" value="(\d+)"', page)
    token = re.search(r'class="button primary" name="token" value="(\w+)"', page)
    assert number
    assert token
    assert "equal cards cancel" in words(page)
    assert words(page).count("Best.") == 1
    assert "Only another ace can stop it" in words(page)
    visitor.send(f"{table}/moves", number=number[1], token=token[1])
    assert state_of(visitor, table)["question"] is None


def test_hint_needs_a_question(visitor: Person, app: Flask) -> None:
    """Out of turn and in sets the script gets a sentence with 409; for others a hint is forbidden."""
    table = opened(visitor)
    Person(app).visit(f"{table}/hint", status=403)
    choose(visitor, table)
    answer = visitor.client.get(f"{table}/hint", headers=JSON)
    assert (answer.status_code, answer.get_json()) == (409, {"problem": "It is not your turn."})
    assert "It is not your turn." in words(visitor.visit(f"{table}/hint"))

    answer = visitor.client.get(f"{opened(visitor, 'set')}/hint", headers=JSON)
    assert answer.status_code == 409
    assert "outside of sets of deals" in answer.get_json()["problem"]
