"""Notes about moves: stored once, shown to those who may see them, and summed up by model."""

import math
from statistics import stdev
from typing import Any

import pytest
from sqlalchemy import func, select

from arena.db.models import LiveNote
from arena.games.errors import NotFound
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.bots.house import ensure_house
from arena.services.live import models, noted, notes, outside, tables
from arena.services.live.notes import Message, Note
from arena.services.live.outside import NewLiveTable
from arena.services.live.people import Person
from arena.services.live.tables import Wish
from arena.services.privacy import deletions
from tests import factories
from tests.services.live.test_host import hosting
from tests.services.live.test_outside import first

WISH = Wish("separate-suits-2")


@pytest.fixture
def account(arena: Arena) -> Account:
    """A member whose programs play."""
    ensure_house(arena, games=())
    return factories.user(arena, "ada")


def made(**words: Any) -> Note:
    """Return a note."""
    return Note(model="a-model", messages=(Message("user", "Which?"),), **words)


def test_note_is_stored_with_its_move_and_only_once(arena: Arena, account: Account) -> None:
    """A repeated move keeps the first note; a move without one has none."""
    code = outside.open_table(arena, account, NewLiveTable(variant=WISH.variant))
    with hosting(arena):
        one = first(arena, account)
        for seconds in (1.0, 2.0):
            note = made(seconds=seconds)
            tables.move(arena, Person.program_of(account), code, one.number, one.view["legal"][0], note)
        two = first(arena, account)
        tables.move(arena, Person.program_of(account), code, two.number, two.view["legal"][0])
        tables.move(arena, Person.program_of(account), code, two.number, two.view["legal"][0], made())

    (row,) = noted.rows(arena, account, code)
    assert (row.number, row.action, row.seconds) == (one.number, one.view["legal"][0], 1.0)
    assert noted.note(arena, account, code, one.number).messages == (Message("user", "Which?"),)


def test_notes_of_a_match_at_play_are_for_the_owner_alone(arena: Arena, account: Account, admin: Account) -> None:
    """Notes have the seat's cards. Once the match is over, whoever has the address sees them."""
    code = outside.open_table(arena, account, NewLiveTable(variant=WISH.variant))
    with hosting(arena):
        one = first(arena, account)
        tables.move(arena, Person.program_of(account), code, one.number, one.view["legal"][0], made())

    for other in (None, admin, factories.user(arena, "eve")):
        assert noted.rows(arena, other, code) == ()
        with pytest.raises(NotFound):
            noted.note(arena, other, code, one.number)
        with pytest.raises(NotFound):
            noted.replay_of(arena, other, code)
    assert len(noted.rows(arena, account, code)) == 1
    over, numbers = factories.noted_table(arena, account, WISH)
    assert [row.number for row in noted.rows(arena, None, over)] == numbers
    assert noted.replay_of(arena, None, over)["steps"]
    with pytest.raises(NotFound):
        noted.rows(arena, account, "x")


def test_table_has_bounded_room_for_messages(arena: Arena, account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are always kept."""
    monkeypatch.setattr(notes, "ROOM", 300)
    code, numbers = factories.noted_table(arena, account, WISH)

    kept = [noted.note(arena, None, code, number).messages for number in numbers]

    assert kept[0]
    assert not kept[-1]
    assert noted.note(arena, None, code, numbers[-1]).tokens_in == 900


def test_models_are_compared_by_variant(arena: Arena, account: Account) -> None:
    """Points, cost and tokens are per deal, time and moves given up per move, refusals per answer."""
    tables_of_one = [factories.noted_table(arena, account, WISH) for _ in range(3)]
    factories.noted_table(arena, account, WISH, model="other", cost=None, tokens_in=None, gave_up=True, answers=0)
    moves = sum(len(numbers) for _, numbers in tables_of_one)

    one, other = models.models(arena)

    with arena.reading() as session:
        scores = [
            next(s.score or 0 for s in tables.find(session, code).seats if s.program) for code, _ in tables_of_one
        ]
    assert (one.model, one.variant, one.matches, one.deals) == ("a-model", WISH.variant, 3, 3)
    assert one.points == pytest.approx(sum(scores) / 3)
    assert one.error == pytest.approx(1.96 * stdev(scores) / math.sqrt(3))
    assert one.tokens == pytest.approx(1000 * moves / 3)
    assert one.cost == pytest.approx(0.01 * moves / 3)
    assert (one.seconds, one.refused, one.gave_up) == (2.0, 0.0, 0.0)
    assert (other.model, other.error, other.cost, other.tokens) == ("other", None, None, None)
    assert (other.refused, other.gave_up) == (None, 1.0)


def test_table_of_two_models_counts_for_neither(arena: Arena, account: Account) -> None:
    """Its result belongs to no one model."""
    code, numbers = factories.noted_table(arena, account, WISH)
    with arena.transaction() as session:
        session.get_one(LiveNote, (tables.find(session, code).id, numbers[0])).model = "other"

    assert models.models(arena) == ()


def test_deleted_member_leaves_figures_without_texts(arena: Arena, account: Account, admin: Account) -> None:
    """The words of a member's program go with the member."""
    code, numbers = factories.noted_table(arena, account, WISH)

    deletions.delete(arena, account)

    assert noted.note(arena, None, code, numbers[0]).messages == ()
    assert len(models.models(arena)) == 1


def test_notes_go_with_their_table(arena: Arena, account: Account) -> None:
    """The database deletes them."""
    code, _ = factories.noted_table(arena, account, WISH)

    with arena.transaction() as session:
        table = tables.find(session, code)
        for seat in table.seats:
            session.delete(seat)
        session.delete(table)
        session.flush()
        assert session.scalar(select(func.count()).select_from(LiveNote)) == 0
