"""A person plays with bots: every variant, over the death of a host, and whatever is sent."""

import random
import time
from collections.abc import Callable

import pytest
from sqlalchemy import select

from arena.db.models import LiveTable
from arena.games.registry import VARIANTS
from arena.match import record
from arena.match.replay import verify
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.live.people import Person
from arena.services.live.tables import LiveTableView, Wish, look, move, open_table

ME = Person.stranger("me")
Begin = Callable[[], Callable[[], None]]


def await_turn(arena: Arena, code: str, after: int = -1) -> LiveTableView:
    """Return the table as soon as it awaits a move of mine with a number above `after`, or is over."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        table = look(arena, ME, code)
        if table.state != LiveState.PLAYING or (table.question and table.question.number > after):
            return table
        time.sleep(0.005)
    raise AssertionError("the table does not go on")


def play_on(arena: Arena, code: str, moves: int = 1000, seed: int = 0) -> LiveTableView:
    """Make random moves until the match is over, or this number of them."""
    rng = random.Random(seed)
    table = await_turn(arena, code)
    for _ in range(moves):
        if table.state != LiveState.PLAYING:
            break
        assert table.question is not None
        move(arena, ME, code, table.question.number, rng.choice(table.question.actions).token)
        table = await_turn(arena, code, table.question.number)
    return table


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_played_to_its_end(arena: Arena, host: Begin, variant: str) -> None:
    """A deal of each variant ends with a record that the rules confirm."""
    host()
    code = open_table(arena, ME, Wish(variant))

    table = play_on(arena, code)

    assert table.state == LiveState.FINISHED
    with arena.reading() as session:
        packed = session.scalars(select(LiveTable.record).where(LiveTable.code == code)).one()
    assert packed is not None
    verify(record.encode(record.unpack(packed)))
