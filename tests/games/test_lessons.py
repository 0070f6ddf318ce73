"""Lessons: their moves are those of the game, and their words fit them."""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from arena.games.base import CHANCE, State
from arena.games.lessons import Decision, Lesson
from arena.games.registry import GAMES, rules_of, variant
from arena.games.wording import NAMES

LESSONS: Final = {id: game.lesson for id, game in GAMES.items() if game.lesson}
SCORES: Final = {
    "suitability": [80, 10],
    "suit_yourself": [20, 11, 0, 0],
    "suits_barnhart": [2, 2, 2, 13],
    "suits_steere": [8, 5, 3],
    "separate_suits": [6, 1, 3, 3],
}
"""Final scores that the words of the lessons mention."""
LONGEST: Final = 160
"""Number of characters that fit beside the table on a phone."""

each_lesson = pytest.mark.parametrize("id", LESSONS)


def decided(lesson: Lesson) -> Iterator[tuple[State, Decision | None]]:
    """Play a lesson, checking every move. Yields the state at each decision, and at last the state at the end."""
    state = GAMES[variant(lesson.variant).game]({**rules_of(lesson.variant).options, **lesson.options}).start()
    for decision in lesson.decisions:
        _play(lesson, state, decision.before)
        yield state, decision
        _play(lesson, state, decision.move)
    _play(lesson, state, lesson.after)
    yield state, None


def _play(lesson: Lesson, state: State, tokens: str) -> None:
    for token in ("", *tokens.split()):
        if token:
            state.move(state.seat, token)
        if state.seat == CHANCE:
            state.deal(state.game.board_from_json(state.boards, lesson.boards[state.boards]))


@each_lesson
def test_every_move_is_legal_and_every_decision_is_a_choice_of_the_learner(id: str) -> None:
    """The learner is to move, has several legal actions, and is asked for one of them."""
    lesson = LESSONS[id]
    assert variant(lesson.variant).game == id

    for state, decision in decided(lesson):
        if decision:
            legal = [state.game.token(action) for action in state.legal(lesson.seat)]
            assert state.seat == lesson.seat
            assert len(legal) > 1
            assert decision.move in legal


@each_lesson
def test_lesson_has_ten_decisions_with_words(id: str) -> None:
    """Pages call it "ten moves". What is said fits beside the table, and its marks are seats and cards of the game."""
    lesson = LESSONS[id]
    said = [text for one in lesson.decisions for text in (one.prompt, one.note, one.other)]

    assert len(lesson.decisions) == 10
    assert all(0 < len(text) <= LONGEST for text in (lesson.goal, *said))
    for mark in re.findall(r"\{(.*?)\}", " ".join([*said, lesson.goal, lesson.end])):
        assert int(mark) != lesson.seat
        assert int(mark) < rules_of(lesson.variant).players
    for mark in re.findall(r"\[(.*?)\]", " ".join([*said, lesson.goal, lesson.end])):
        assert mark in NAMES[GAMES[id].deck]


@each_lesson
def test_prompt_names_no_other_card_as_the_move(id: str) -> None:
    """If the last card that a prompt names is the learner's, it is the one that is asked for."""
    lesson = LESSONS[id]

    for state, decision in decided(lesson):
        if decision and (marks := re.findall(r"\[(.*?)\]", decision.prompt)):
            legal = [state.game.token(action) for action in state.legal(lesson.seat)]
            assert marks[-1] not in legal or marks[-1] == decision.move


@each_lesson
def test_lesson_ends_with_the_scores_that_it_mentions(id: str) -> None:
    """The learner has the most points."""
    *_, (state, _) = decided(LESSONS[id])

    assert state.scores() == SCORES[id]
    assert max(state.scores()) == state.scores()[LESSONS[id].seat]


@each_lesson
def test_moves_before_a_decision_are_those_of_all_decisions_before_it(id: str) -> None:
    """Past the last decision they are all moves, and each note belongs to the decision before."""
    lesson = LESSONS[id]
    first, last = lesson.decisions[0], lesson.decisions[-1]

    assert lesson.moves(0) == first.before.split()
    assert lesson.moves(1)[len(lesson.moves(0))] == first.move
    assert lesson.moves(10) == [*lesson.moves(9), last.move, *lesson.after.split()]
    assert [lesson.note(number) for number in (0, 1, 10)] == [lesson.goal, first.note, last.note]
