"""A person learns at a table of their own: moves are taken back, as often as they like."""

import time
from collections.abc import Callable

import pytest
from sqlalchemy import select

from arena.db.models import LiveMove, LiveTable
from arena.games.errors import Conflict, Forbidden
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.live import tables
from arena.services.live.learning import undo
from arena.services.live.people import Person
from arena.services.live.tables import LiveTableView, Wish, look, move, open_table
from tests.services.live.test_playing import ME, await_turn, play_on

Begin = Callable[[], Callable[[], None]]
VARIANTS = ("suitability-4", "separate-suits-4", "suits-barnhart-solitaire")

pytestmark = pytest.mark.usefixtures("house")


def log_of(arena: Arena, code: str) -> list[tuple[int, int, str]]:
    """Return the moves of a table."""
    moves = select(LiveMove.number, LiveMove.seat, LiveMove.token).join(LiveTable, LiveTable.id == LiveMove.table_id)
    with arena.reading() as session:
        return [(*row,) for row in session.execute(moves.where(LiveTable.code == code).order_by(LiveMove.number))]


def first_move(arena: Arena, table: LiveTableView) -> LiveTableView:
    """Make the first legal move, and return the table when it is my turn again."""
    assert table.question is not None
    move(arena, ME, table.code, table.question.number, table.question.actions[0].token)
    return await_turn(arena, table.code, table.question.number)


@pytest.mark.parametrize("variant", VARIANTS)
def test_taken_back_moves_are_asked_again(arena: Arena, host: Begin, variant: str) -> None:
    """The same question is asked with the same cards, any number of times back, and the match can be played out."""
    host()
    code = open_table(arena, ME, Wish(variant))
    seen = [await_turn(arena, code)]
    for _ in range(3):
        seen.append(first_move(arena, seen[-1]))

    for before in reversed(seen[:-1]):
        number = undo(arena, ME, code)
        table = look(arena, ME, code)

        assert before.question is not None
        assert number == before.question.number
        assert table.question == before.question
        assert table.replay == before.replay
    assert table.undone == 3
    assert play_on(arena, code).state == LiveState.FINISHED


def test_bots_do_again_what_they_did(arena: Arena, host: Begin) -> None:
    """Repeating a move after an undo meets the same answers: fresh bots have the same seeds."""
    host()
    code = open_table(arena, ME, Wish("suitability-4"))
    before = play_on(arena, code, 5)
    first_move(arena, before)
    log = log_of(arena, code)
    undo(arena, ME, code)

    first_move(arena, await_turn(arena, code))

    assert log_of(arena, code) == log


def test_move_that_was_checked_before_an_undo_is_not_written(arena: Arena, host: Begin) -> None:
    """It is checked again, against the question of before the undone move."""
    host()
    code = open_table(arena, ME, Wish("suitability-4"))
    table = first_move(arena, await_turn(arena, code))
    assert table.question is not None
    number, token = table.question.number, table.question.actions[0].token
    checked = tables._checked(arena, ME, code, number, token)
    assert checked is not None
    undo(arena, ME, code)

    assert not tables._write(arena, checked, number, token)

    with pytest.raises(Conflict):
        move(arena, ME, code, number, token)


def test_table_goes_on_within_a_second(arena: Arena, host: Begin) -> None:
    """The host lets the old table go and holds the new one soon after an undo."""
    host()
    code = open_table(arena, ME, Wish("suits-steere-3"))
    table = play_on(arena, code, 4)
    began = time.monotonic()
    undo(arena, ME, code)
    table = look(arena, ME, code)
    first_move(arena, table)

    assert time.monotonic() - began < 1


def test_undo_works_without_a_host(arena: Arena, host: Begin) -> None:
    """Moves are taken back while nobody plays the table, and a later host goes on from there."""
    end = host()
    code = open_table(arena, ME, Wish("suits-steere-3"))
    play_on(arena, code, 4)
    end()
    undo(arena, ME, code)
    undo(arena, ME, code)
    host()

    assert play_on(arena, code).state == LiveState.FINISHED


def test_move_before_it_is_whole_can_be_taken_back(arena: Arena, host: Begin) -> None:
    """A choice in a simultaneous step is taken back before the others have chosen."""
    end = host()
    code = open_table(arena, ME, Wish("separate-suits-4"))
    table = play_on(arena, code, 2)
    end()
    assert table.question is not None
    move(arena, ME, code, table.question.number, table.question.actions[0].token)

    undo(arena, ME, code)

    assert look(arena, ME, code).question == table.question


def test_nothing_is_taken_back_where_it_must_not_be(arena: Arena, host: Begin) -> None:
    """Before the first decision, after the end, and for others, an undo is refused and changes nothing."""
    host()
    code = open_table(arena, ME, Wish("suits-steere-3"))
    await_turn(arena, code)
    with pytest.raises(Conflict, match="not decided"):
        undo(arena, ME, code)
    play_on(arena, code, 2)
    with pytest.raises(Forbidden):
        undo(arena, Person.stranger("you"), code)
    play_on(arena, code)
    with pytest.raises(Conflict, match="over"):
        undo(arena, ME, code)

    assert look(arena, ME, code).undone == 0
