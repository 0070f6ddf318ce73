"""Lessons as pages: each decision has an address, and only the answer that is asked for leads on."""

from typing import Final

import pytest
from flask import Flask

from arena.games.registry import GAMES
from arena.match.sentences import plain
from arena.services.base.context import Arena
from arena.services.live.lessons import lesson as lesson_view
from tests.services.live.people import ANN, seated
from tests.web.conftest import Person, words
from tests.web.play.test_hiding import browser
from web.drawing.cards import DECKS

LESSONS: Final = {id: game.lesson for id, game in GAMES.items() if game.lesson}

each_lesson = pytest.mark.parametrize("game", LESSONS)


def said(game: str, text: str) -> str:
    """Return words of a lesson as a page without a script shows them."""
    names = [seat.name for seat in lesson_view(game).table.seats]
    return plain(text, names, DECKS[GAMES[game].deck].name)


@each_lesson
def test_each_decision_has_a_page_that_asks_for_it(visitor: Person, game: str) -> None:
    """It shows what happened before, the prompt, and the legal actions as a form; the last page leads to a table."""
    lesson = LESSONS[game]
    for number, decision in enumerate(lesson.decisions):
        page = visitor.visit(f"/games/{game}/lesson?number={number}")
        assert said(game, lesson.note(number)) in words(page)
        assert said(game, decision.prompt) in words(page)
        assert f'value="{decision.move}"' in page

    page = visitor.visit(f"/games/{game}/lesson?number=10")
    assert said(game, lesson.end) in words(page)
    assert f'href="/play?variant={lesson.variant}"' in page
    assert "<form action" not in page


@each_lesson
def test_right_answer_leads_on_and_another_stays(visitor: Person, game: str) -> None:
    """Another legal action is answered with its sentence."""
    lesson = LESSONS[game]
    for number, decision in enumerate(lesson.decisions):
        address = f"/games/{game}/lesson?number={number}&token="
        answer = visitor.client.get(address + decision.move)
        assert (answer.status_code, answer.location) == (303, f"/games/{game}/lesson?number={number + 1}")

        legal = lesson_view(game, number).table.question
        assert legal is not None
        other = next(one.token for one in legal.actions if one.token != decision.move)
        page = visitor.visit(address + other)
        assert said(game, decision.other) in words(page)
        assert said(game, decision.prompt) in words(page)


@pytest.mark.parametrize(
    ("game", "number", "token", "reason"),
    [
        ("suitability", 2, "AS", "You hold clubs, so you must follow clubs."),
        ("separate_suits", 1, "A", "You have tried the ace in this trick"),
        ("suits_barnhart", 0, "AS", "You do not hold the ace of spades."),
        ("suits_steere", 0, "3C", "You do not hold the three of cups."),
        ("suit_yourself", 0, "x", "The rules do not allow that now."),
    ],
)
def test_illegal_answer_is_told_its_rule(visitor: Person, game: str, number: int, token: str, reason: str) -> None:
    """The rule is that of a live table."""
    assert reason in words(visitor.visit(f"/games/{game}/lesson?number={number}&token={token}"))


@each_lesson
def test_script_gets_the_frames_that_are_new(visitor: Person, game: str) -> None:
    """An answer has the next question, the note, and, if it is not the one that is asked for, the reason."""
    lesson = LESSONS[game]
    state = f"/games/{game}/lesson/state.json"
    first = visitor.client.get(f"{state}?number=0").get_json()
    known = len(first["steps"])

    right = visitor.client.get(f"{state}?number=0&token={lesson.decisions[0].move}&steps={known}").get_json()
    wrong = visitor.client.get(f"{state}?number=0&token=?&steps={known}").get_json()
    last = visitor.client.get(f"{state}?number=10").get_json()

    assert first["question"]["text"] == lesson.decisions[0].prompt
    assert (right["number"], right["question"]["number"], right["from"], right["problem"]) == (1, 1, known, "")
    assert right["note"] == lesson.decisions[0].note
    assert right["steps"]
    assert (wrong["number"], wrong["question"], wrong["steps"]) == (0, first["question"], [])
    assert wrong["problem"]
    assert (last["state"], last["question"]) == ("finished", None)


@each_lesson
def test_rules_and_the_choice_of_a_game_lead_to_the_lesson(visitor: Person, game: str) -> None:
    """Both say that it takes ten moves."""
    for address in (f"/games/{game}", "/play"):
        page = visitor.visit(address)
        assert f'href="/games/{game}/lesson"' in page
        assert "in ten moves" in page


def test_games_that_were_played_need_no_lesson(app: Flask, arena: Arena) -> None:
    """Only games of which the person has no table are named."""
    seated(arena, "separate-suits-2")

    page = browser(app, ANN).get("/play").text

    assert "/games/separate_suits/lesson" not in page
    assert "/games/suitability/lesson" in page


@pytest.mark.parametrize("address", ["suitability/lesson?number=11", "suitability/lesson?number=-1", "whist/lesson"])
def test_other_lessons_are_not_found(visitor: Person, address: str) -> None:
    """A lesson has as many pages as decisions, and one more."""
    visitor.visit(f"/games/{address}", 404)
