"""Tables of people alone, which need no host."""

import time
from collections.abc import Sequence

from sqlalchemy import select

from arena.db.models import LiveBoards, LiveMove
from arena.games.chance import SEED_BYTES, commitment
from arena.services.base.context import Arena
from arena.services.base.states import LiveState
from arena.services.live import outside
from arena.services.live.outside import OutsideSeats
from arena.services.live.people import Person
from arena.services.live.tables import LiveQuestion, Wish, find, look, rules_for, seat_people

ANN, BEN, EVE = (Person.stranger(name) for name in ("ann", "ben", "eve"))
"""Two people at the table, and one who is not."""


def seated(
    arena: Arena, variant: str, people: Sequence[Person] = (ANN, BEN), state: LiveState = LiveState.PLAYING
) -> str:
    """Open a table at which these people sit. Returns its code."""
    seed = bytes(SEED_BYTES)
    rules = rules_for(Wish(variant))
    boards = LiveBoards(
        variant=variant, options=dict(rules.options), seed=seed, commitment=commitment(seed), bots=[None] * len(people)
    )
    with arena.transaction() as session:
        return seat_people(session, boards, dict(enumerate(people)), state)


def heard(arena: Arena, person: Person, after: str = "", seconds: float = 20.0) -> OutsideSeats:
    """Return what a program hears since a cursor: as soon as something is new, or after a while."""
    end = time.monotonic() + seconds
    while not outside.is_new(found := outside.look(arena, person, after), after) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def question(arena: Arena, code: str, person: Person) -> LiveQuestion:
    """Return what a person is asked now."""
    asked = look(arena, person, code).question
    assert asked is not None
    return asked


def logged(arena: Arena, code: str) -> list[tuple[int, int, str]]:
    """Return numbers, seats and tokens of a table's moves."""
    with arena.reading() as session:
        moves = select(LiveMove.number, LiveMove.seat, LiveMove.token).where(
            LiveMove.table_id == find(session, code).id
        )
        return [(row.number, row.seat, row.token) for row in session.execute(moves.order_by(LiveMove.number))]
