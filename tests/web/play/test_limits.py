"""Limits of tables, as people read them."""

from flask import Flask

from arena.services.base.context import Arena
from arena.services.live.tables import OPEN
from tests.services.live.people import ANN, EVE, seated
from tests.web.conftest import words
from tests.web.play.test_hiding import browser


def test_form_says_why_no_table_is_opened(app: Flask, arena: Arena) -> None:
    """The form keeps what was chosen, and leads to the unfinished tables."""
    codes = [seated(arena, "separate-suits-2", [ANN, EVE]) for _ in range(OPEN)]
    wish = {"variant": "suit-yourself", "length": "deal", "strength": "easy"}

    answer = browser(app, ANN).post("/play", data=wish)

    assert answer.status_code == 400
    assert "You have 8 tables that are not finished. Finish one of them first." in words(answer.text)
    assert '<option selected value="suit-yourself">' in answer.text
    assert all(f"/play/{code}" in answer.text for code in codes)
