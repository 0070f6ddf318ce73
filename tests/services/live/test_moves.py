"""Moves of people: whatever is sent, and however often, a move is made once or nothing changes."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from sqlalchemy import update

from arena.db.models import LiveTable
from arena.games.errors import Conflict, Forbidden, NotFound, Refused
from arena.services.base.context import Arena
from arena.services.live.followed import followed
from arena.services.live.tables import find, look, look_after, move
from tests.services.live.people import ANN, BEN, EVE, logged, question, seated

OPEN, SECRET = "suits-steere-3", "separate-suits-2"
"""A game in which seats move in turn, and one in which they choose at the same time."""

GARBAGE = {
    "empty": "",
    "another seat's": "XX",
    "padded": " 5",
    "long": "5" * 100_000,
    "NUL": "5\0",
    "lone surrogate": "\ud800",
    "control characters": "\x1b[2J\r\n",
    "markup": "<script>",
}


@pytest.mark.parametrize("token", GARBAGE.values(), ids=GARBAGE)
def test_token_that_is_not_allowed_is_refused(arena: Arena, token: str) -> None:
    """The reason is a short sentence that can be stored and sent, and the turn is not lost."""
    code = seated(arena, SECRET)
    asked = question(arena, code, ANN)

    with pytest.raises(Refused, match=r" is not allowed now\. Allowed: .*\.$") as refusal:
        move(arena, ANN, code, 0, token)

    assert len(str(refusal.value).encode()) < 400
    assert str(refusal.value).isprintable()
    assert logged(arena, code) == []
    assert question(arena, code, ANN) == asked
    move(arena, ANN, code, 0, "5")


@pytest.mark.parametrize("number", [-1, 1, 2, 2**31, 2**63, 10**30])
def test_wrong_number_is_a_conflict(arena: Arena, number: int) -> None:
    """The person's next move has one number."""
    code = seated(arena, SECRET)

    with pytest.raises(Conflict, match=rf"^Your next move has the number 0, not {number}\.$"):
        move(arena, ANN, code, number, "5")

    assert logged(arena, code) == []


def test_move_out_of_turn_is_a_conflict(arena: Arena) -> None:
    """A person moves when it is its turn."""
    code = seated(arena, OPEN, [ANN, BEN, EVE])
    waiting = next(person for person in (ANN, BEN, EVE) if look(arena, person, code).question is None)

    with pytest.raises(Conflict, match=r"^It is not your turn\.$"):
        move(arena, waiting, code, 0, "AC")

    assert logged(arena, code) == []


def test_late_move_is_a_conflict(arena: Arena) -> None:
    """After the end nothing can be moved, but the last move may be sent again."""
    code = seated(arena, SECRET)
    move(arena, ANN, code, 0, "5")
    with arena.transaction() as session:
        session.execute(update(LiveTable).values(state="abandoned"))

    move(arena, ANN, code, 0, "5")
    with pytest.raises(Conflict, match=r"^The match at this table is over\.$"):
        move(arena, BEN, code, 1, "5")

    assert logged(arena, code) == [(0, 0, "5")]


def test_move_of_others_is_forbidden(arena: Arena) -> None:
    """Only the people at a table move there."""
    code = seated(arena, SECRET)

    with pytest.raises(Forbidden, match=r"^Only the people at this table can move here\.$"):
        move(arena, EVE, code, 0, "5")

    assert logged(arena, code) == []


@pytest.mark.parametrize("code", ["", "none", "\0", "\ud800", "x" * 100_000])
def test_unknown_table_is_not_found(arena: Arena, code: str) -> None:
    """Any text may be in an address."""
    with pytest.raises(NotFound):
        move(arena, ANN, code, 0, "5")
    with pytest.raises(NotFound):
        look(arena, ANN, code)


def test_second_move_with_a_number_is_a_conflict(arena: Arena) -> None:
    """A move that was made stands."""
    code = seated(arena, SECRET)
    move(arena, ANN, code, 0, "5")

    with pytest.raises(Conflict, match=r"^Move 0 was made already: 5\.$"):
        move(arena, ANN, code, 0, "6")

    assert logged(arena, code) == [(0, 0, "5")]


def test_answer_comes_at_once_if_nobody_else_has_to_move(arena: Arena) -> None:
    """A person whose move completes a step, and who is to move in the next one, does not wait."""
    code = seated(arena, SECRET)
    move(arena, ANN, code, 0, "5")
    move(arena, BEN, code, 1, "6")
    begun = time.monotonic()

    table = look_after(arena, BEN, code, 1, patience=10.0)

    assert table.question is not None
    assert table.question.number > 1
    assert time.monotonic() - begun < 5.0


@pytest.mark.parametrize("choice", ["5", "K"])
def test_answer_tells_nothing_of_the_other_choice(arena: Arena, choice: str) -> None:
    """Moves do not reveal whether another seat has chosen in the step at hand, nor its choice."""
    code = seated(arena, SECRET)
    answers = []
    for made in (False, True):
        if made:
            move(arena, ANN, code, 0, choice)
        for token in ("5", "K", "nonsense"):
            with pytest.raises(Conflict) as conflict:
                move(arena, BEN, code, 0, token)
            answers.append(str(conflict.value))

    assert set(answers) == {"Your next move has the number 1, not 0."}


def together(*calls: Callable[[], None]) -> list[BaseException | None]:
    """Make calls at the same time, each in a thread; return the error of each."""
    barrier = Barrier(len(calls))

    def one(call: Callable[[], None]) -> None:
        barrier.wait(10)
        call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.exception(60) for future in [pool.submit(one, call) for call in calls]]


def test_move_sent_several_times_at_once_is_made_once(arena: Arena) -> None:
    """All senders get the good answer."""
    code = seated(arena, SECRET)
    for number in range(16):
        person = (ANN, BEN)[number % 2]
        send = partial(move, arena, person, code, number, question(arena, code, person).actions[0].token)

        assert together(send, send, send) == [None, None, None]
        assert len(logged(arena, code)) == number + 1


def test_table_is_not_followed_beyond_what_a_session_sees(arena: Arena) -> None:
    """Moves that others have seen since the session began are not there yet."""
    code = seated(arena, SECRET)
    with arena.reading() as session:
        table = find(session, code)
        for number, person in enumerate((ANN, BEN)):
            move(arena, person, code, number, question(arena, code, person).actions[0].token)
        assert look(arena, ANN, code).moves == 2

        with followed(session, table, 0) as one:
            assert one.at.moves == 0


def test_one_of_two_moves_at_once_is_made(arena: Arena) -> None:
    """The other one is a conflict."""
    code = seated(arena, SECRET)
    for number in range(8):
        person = (ANN, BEN)[number % 2]
        tokens = [action.token for action in question(arena, code, person).actions[:2]]

        errors = together(*(partial(move, arena, person, code, number, token) for token in tokens))

        assert {type(error) for error in errors} == {Conflict, type(None)}
        assert [token for _, _, token in logged(arena, code)[number:]] == [tokens[errors.index(None)]]
