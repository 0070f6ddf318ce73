"""Tables of several people: seats, the start, the clock, and a rematch."""

import time
from collections.abc import Callable

import pytest
from sqlalchemy import select, update

from arena.db.models import LiveMove, LiveTable
from arena.games.errors import Conflict, Forbidden
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.live import friends, tables
from arena.services.live.people import Person
from arena.services.live.tables import Wish, look
from tests import factories

ANN, BEN, EVE = (Person.stranger(name) for name in ("ann", "ben", "eve"))
Begin = Callable[[], Callable[[], None]]

pytestmark = pytest.mark.usefixtures("house")


@pytest.fixture
def code(arena: Arena) -> str:
    """A table at which Ann waits for friends."""
    return friends.open_table(arena, ANN, Wish("separate-suits-4"))


def free(arena: Arena, code: str) -> int:
    """Return a seat that a bot has."""
    return next(seat.seat for seat in look(arena, None, code).seats if seat.bot is not None)


def test_people_take_the_seats_of_bots(arena: Arena, code: str) -> None:
    """A seat is taken once; who sits elsewhere moves there, and the bot takes the old seat."""
    seat = free(arena, code)
    friends.sit(arena, BEN, code, seat)
    with pytest.raises(Conflict, match="sits there"):
        friends.sit(arena, EVE, code, seat)

    other = free(arena, code)
    friends.sit(arena, BEN, code, other)

    assert look(arena, BEN, code).seat == other
    assert sum(one.bot is None for one in look(arena, None, code).seats) == 2


def test_only_people_at_the_table_start_it_once(arena: Arena, code: str) -> None:
    """After the start no seat changes."""
    with pytest.raises(Forbidden):
        friends.start(arena, EVE, code)
    assert look(arena, ANN, code).question is None

    friends.start(arena, ANN, code)

    assert look(arena, ANN, code).state == LiveState.PLAYING
    with pytest.raises(Conflict, match="begun"):
        friends.sit(arena, BEN, code, free(arena, code))
    with pytest.raises(Conflict, match="begun"):
        friends.start(arena, ANN, code)


def test_bot_moves_for_a_person_who_is_late(arena: Arena, host: Begin, code: str) -> None:
    """The seat is not lost: the match goes on with a move of a bot, marked as late."""
    friends.sit(arena, BEN, code, free(arena, code))
    friends.start(arena, ANN, code)
    with arena.transaction() as session:
        session.execute(update(LiveTable).values(clock=0.05))
    host()

    end = time.monotonic() + 60
    while look(arena, ANN, code).state == LiveState.PLAYING and time.monotonic() < end:
        time.sleep(0.05)

    assert look(arena, ANN, code).state == LiveState.FINISHED
    with arena.reading() as session:
        assert session.scalars(select(LiveMove.late).where(LiveMove.late)).first()


def test_rematch_keeps_the_people(arena: Arena, code: str) -> None:
    """Everybody sits where they sat, and waits for the start."""
    friends.sit(arena, BEN, code, free(arena, code))
    friends.start(arena, ANN, code)
    factories.play_live(arena, code, field=False)

    again = friends.again(arena, BEN, code)

    assert look(arena, ANN, again).seat == look(arena, ANN, code).seat
    assert look(arena, BEN, again).state == LiveState.WAITING
    with pytest.raises(Forbidden):
        friends.again(arena, EVE, code)


def test_person_plays_on_with_the_same_bots(arena: Arena) -> None:
    """Another deal after a deal of one's own has the same variant, length and bots."""
    code = tables.open_table(arena, ANN, Wish("suitability-3", tables.MATCH, bots=("random",)))
    factories.play_live(arena, code)

    again = friends.again(arena, ANN, code)

    with arena.reading() as session:
        before, after = tables.find(session, code), tables.find(session, again)
        assert before.boards.options == after.boards.options
        assert {bot for bot in before.boards.bots if bot} == {bot for bot in after.boards.bots if bot}
        assert before.boards.seed != after.boards.seed
