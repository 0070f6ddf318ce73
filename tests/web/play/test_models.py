"""Pages and answers about language models: what they were asked, and how they fare."""

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from arena.db.models import User
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots.house import ensure_house
from arena.services.live.notes import LONGEST
from arena.services.live.tables import Wish
from arena.services.people import keys
from arena.services.people.keys import Scope
from tests import factories
from tests.services.live.test_host import hosting
from tests.web.api.conftest import Program
from tests.web.conftest import Person, words

WISH = Wish("separate-suits-2")


@pytest.fixture(autouse=True)
def house(arena: Arena) -> None:
    """House bots."""
    ensure_house(arena, games=())


def account(arena: Arena) -> Account:
    """Return the account of Ada, who is registered."""
    with arena.reading() as session:
        user = session.scalars(select(User).where(User.name == "ada")).one()
        return Account(user.id, user.name, is_admin=False)


def test_models_begin_with_a_command(visitor: Person) -> None:
    """The empty page says which."""
    assert "begin with arena models MODEL" in words(visitor.visit("/models"))
    assert "/models" in visitor.visit("/play")


def test_notes_are_shown_beside_the_replay_and_escaped(visitor: Person, ada: Person, arena: Arena) -> None:
    """Everybody finds them from the table, and the model on the page of models."""
    code, numbers = factories.noted_table(arena, account(arena), WISH, gave_up=True)

    assert f"/play/{code}/notes" in visitor.visit(f"/play/{code}")
    listed = visitor.visit(f"/play/{code}/notes")
    note = visitor.visit(f"/play/{code}/notes/{numbers[0]}")

    assert f'data-src="/play/{code}/replay.json"' in listed
    assert listed.count("data-move=") == len(numbers)
    assert "&lt;b&gt;Hm.&lt;/b&gt;" in note
    assert "<b>Hm." not in note
    assert "gave up" in note
    assert "a-model" in words(visitor.visit("/models"))


def test_notes_at_play_are_on_the_owners_page_alone(
    app: Flask, visitor: Person, ada: Person, bob: Person, arena: Arena
) -> None:
    """Others see that there may be some, and no more; a note that is too long is refused with its field."""
    program = Program(app, keys.make(arena, account(arena), "test", [Scope.UPLOAD]))
    code = program.send("POST", "/live-tables", 201, {"variant": WISH.variant, "length": "deal"})["code"]
    with hosting(arena):
        (one,) = program.get("/seats/next?wait=20")["questions"]
    number, path = one["number"], f"/live-tables/{code}/moves"
    move: dict[str, Any] = {"number": number, "action": one["view"]["legal"][0]}
    long = {"model": "m", "messages": [{"role": "user", "text": "x" * (LONGEST + 1)}]}
    for wrong in (long, {}, {"model": ""}, {"model": "m", "cost": -1}, {"model": "m", "messages": [{"role": "judge"}]}):
        assert "body.note" in program.send("POST", path, 400, {**move, "note": wrong})["errors"][0]["place"]
    program.send("POST", path, 204, {**move, "note": {"model": "m"}})

    assert "There are no notes here" in visitor.visit(f"/play/{code}/notes")
    assert bob.client.get(f"/play/{code}/notes/{number}").status_code == 404
    assert Program(app, "").get(f"/live-tables/{code}/notes") == []
    assert "are not kept" in ada.visit(f"/play/{code}/notes/{number}")
    assert program.get(f"/live-tables/{code}/notes/{number}")["model"] == "m"
