"""Limits of tables: each is refused with a sentence, and nothing is opened."""

from typing import Any

import pytest
from sqlalchemy import func, select, update

from arena.db.clock import now
from arena.db.models import LiveTable
from arena.games.errors import Refused
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.live import tables
from arena.services.live.friends import sit
from arena.services.live.people import Person
from arena.services.live.tables import DAY, OPEN, QUEUE, Wish, check_limits, open_table
from tests import factories
from tests.services.live.people import ANN, BEN, EVE, seated

VARIANT = "separate-suits-2"


def allowed(arena: Arena, person: Person) -> bool:
    """Return whether a person may open a table now."""
    try:
        with arena.reading() as session:
            check_limits(session, person)
    except Refused:
        return False
    return True


def change(arena: Arena, **values: Any) -> None:
    """Change all tables."""
    with arena.transaction() as session:
        session.execute(update(LiveTable).values(**values))


def count(arena: Arena) -> int:
    """Return the number of tables."""
    with arena.reading() as session:
        return session.scalar(select(func.count()).select_from(LiveTable)) or 0


@pytest.mark.parametrize("state", [LiveState.PLAYING, LiveState.WAITING])
def test_person_has_few_unfinished_tables(arena: Arena, state: LiveState) -> None:
    """A table that ends, however it ends, makes room for another one; others are not concerned."""
    for _ in range(OPEN):
        assert allowed(arena, ANN)
        seated(arena, VARIANT, [ANN, EVE], state)
    change(arena, lease_until=now() + 60)

    with pytest.raises(Refused, match=r"^You have 8 tables that are not finished\. Finish one of them first\.$"):
        open_table(arena, ANN, Wish(VARIANT))

    assert count(arena) == OPEN
    assert allowed(arena, BEN)
    change(arena, state=LiveState.FAILED)
    assert allowed(arena, ANN)


def test_person_opens_a_number_of_tables_a_day(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """A member may open more than a guest."""
    monkeypatch.setattr(tables, "DAILY", {False: 2, True: 3})
    member = Person.member(factories.user(arena, "ada"))
    for _ in range(2):
        assert allowed(arena, ANN)
        seated(arena, VARIANT, [ANN, member])
        change(arena, state=LiveState.ABANDONED)

    with pytest.raises(Refused, match=r"^You have played a lot today\. Come back tomorrow\.$"):
        open_table(arena, ANN, Wish(VARIANT))

    assert allowed(arena, member)
    seated(arena, VARIANT, [BEN, member])
    assert not allowed(arena, member)
    change(arena, created=now() - DAY - 1)
    assert allowed(arena, ANN)
    assert allowed(arena, member)


def test_full_arena_opens_no_tables(arena: Arena) -> None:
    """While many tables wait for a host no more are opened; those that nobody looks at do not wait."""
    for number in range(QUEUE):
        assert allowed(arena, ANN)
        seated(arena, VARIANT, [Person.stranger(f"{number}"), BEN])

    with pytest.raises(Refused, match=r"^All tables are taken at the moment\. Try again in a few minutes\.$"):
        open_table(arena, ANN, Wish(VARIANT))

    assert count(arena) == QUEUE
    change(arena, lease_until=now() + 60)
    assert allowed(arena, ANN)
    change(arena, lease_until=None, touched=now() - 600)
    assert allowed(arena, ANN)


def test_seat_at_the_table_of_others_counts(arena: Arena) -> None:
    """Nobody sits down at more tables than anybody may open."""
    for _ in range(OPEN):
        seated(arena, VARIANT, [ANN, EVE])
    change(arena, lease_until=now() + 60)
    bot = factories.bot(arena, factories.user(arena, "author"), "bot")
    code = seated(arena, VARIANT, [BEN, EVE], LiveState.WAITING)
    with arena.transaction() as session:
        seat = tables.find(session, code).seats[1]
        seat.version_id, seat.guest = bot, None

    with pytest.raises(Refused, match="not finished"):
        sit(arena, ANN, code, 1)
