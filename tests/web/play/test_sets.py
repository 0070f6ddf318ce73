"""Pages of sets of deals, as a visitor, a pupil and a teacher use them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, update

from arena.db.models import GroupMember, LiveSet, User
from arena.services.base.context import Arena
from arena.services.bots.house import ensure_house
from tests import factories
from tests.web.conftest import Person, words

SOON = datetime.now(UTC) + timedelta(days=2)
DEALS: dict[str, Any] = {
    "variant": "separate-suits-4", "deals": 2, "strength": "easy", "closes": f"{SOON:%Y-%m-%dT%H:%M}", "zone": "UTC",
}  # fmt: skip


@pytest.fixture(autouse=True)
def house(arena: Arena) -> None:
    """House bots."""
    ensure_house(arena, games=())


@pytest.fixture
def teacher(ada: Person, arena: Arena) -> Person:
    """An organiser with a group."""
    with arena.transaction() as session:
        session.execute(update(User).where(User.name == "ada").values(is_organiser=True))
    ada.send("/groups/new", name="7b")
    return ada


@pytest.fixture
def pupil(bob: Person, arena: Arena) -> Person:
    """A member of the group."""
    with arena.transaction() as session:
        user = session.scalars(select(User.id).where(User.name == "bob")).one()
        session.add(GroupMember(group_id=1, user_id=user, real_name="Bob Example"))
    return bob


def play(arena: Arena, person: Person, address: str) -> str:
    """Play a deal to which a form leads, and return the part of its page that comes at the end."""
    table = person.client.post(address, data=OWN if address == "/play" else {}).location
    factories.play_live(arena, table.rpartition("/")[2])
    return person.visit(f"{table}/field")


OWN = {"variant": "separate-suits-4", "length": "set", "strength": "easy"}


def test_next_deal_is_one_click_away(visitor: Person, arena: Arena) -> None:
    """The form of Play begins a set; after the fifth deal a page shows the person and the bots on every deal."""
    first = play(arena, visitor, "/play")
    assert "Play deal 2 of 5" in words(first)
    assert "1 of 5 deals played" in words(visitor.visit("/play"))

    last = [play(arena, visitor, "/play/sets/1") for _ in range(4)][-1]

    assert "Play deal" not in last
    assert 'class="button primary" href="/play/sets/1"' in last
    page = words(visitor.visit("/play/sets/1"))
    assert "Name Points Field beaten Deal 1" in page
    assert "You and the bots" in page
    assert "5 more deals" in page
    assert "of the bots" in page
    assert "played" not in words(visitor.visit("/play"))


def test_set_is_not_for_friends(visitor: Person) -> None:
    """The form says what to choose instead."""
    page = visitor.send("/play", 400, **OWN, friends="y")

    assert "5 deals in a row are for one person. With friends, choose another length." in words(page)


def test_class_finds_its_deals(teacher: Person, pupil: Person, arena: Arena) -> None:
    """Members find them on Play and among the assignments, with the deadline, and play from there."""
    page = words(teacher.send("/groups/1/deals", **DEALS))
    assert "Separate Suits, 2 deals" in page
    assert "Bob Example bob" in page
    assert "Play deal" not in page
    assert "2 deals to play Separate Suits 7b open" in words(teacher.visit("/assignments/"))
    assert "2 deals Separate Suits open" in words(teacher.visit("/groups/1"))

    assert "2 deals to play Separate Suits 7b open" in words(pupil.visit("/assignments/"))
    assert "for 7b 0 of 2 deals played" in words(pupil.visit("/play"))
    assert "One attempt each; no undo, no hints. " in words(pupil.visit("/play/sets/1"))
    play(arena, pupil, "/play/sets/1")

    assert "Everybody else is shown after the deadline." in words(pupil.visit("/play/sets/1"))
    with arena.transaction() as session:
        session.execute(update(LiveSet).values(closes=1.0))
    assert "over" in words(pupil.visit("/assignments/"))
    assert "Play deal" not in pupil.visit("/play/sets/1")


def test_others_do_not_find_them(teacher: Person, visitor: Person, app: Flask) -> None:
    """Neither a visitor nor a member of no group."""
    teacher.send("/groups/1/deals", **DEALS)

    for person in (visitor, Person(app, "eve").register()):
        person.visit("/play/sets/1", 404)
        person.send("/play/sets/1", 404)
    assert "No assignments for you yet." in Person(app, "eve").log_in().visit("/assignments/")


def test_results_are_a_file(teacher: Person, pupil: Person, arena: Arena) -> None:
    """The teacher downloads a line for each member."""
    teacher.send("/groups/1/deals", **DEALS)
    play(arena, pupil, "/play/sets/1")

    answer = teacher.client.get("/play/sets/1/results.csv")

    assert answer.headers["Content-Disposition"] == 'attachment; filename="deals-1.csv"'
    head, line = answer.text.lstrip("\ufeff").splitlines()
    assert head == "account,real_name,deal_1,deal_2,total,field_beaten"
    assert line.startswith("bob,Bob Example,")


def test_form_says_what_is_wrong(teacher: Person) -> None:
    """A deadline is a time to come."""
    assert "2030-01-31 18:00" in teacher.send("/groups/1/deals", 400, **{**DEALS, "closes": ""})
    assert "1 to 10" in teacher.send("/groups/1/deals", 400, **{**DEALS, "deals": 11})
    late = {**DEALS, "closes": "2020-01-01T00:00"}
    assert "must be in the future" in teacher.send("/groups/1/deals", 400, **late)


def test_deadline_is_moved(teacher: Person, pupil: Person, arena: Arena) -> None:
    """Members may play until the new time; once the deadline has passed, the cards are known."""
    teacher.send("/groups/1/deals", **DEALS)
    assert "/play/sets/1/deadline" in teacher.visit("/play/sets/1")
    assert "must be in the future" in teacher.send("/play/sets/1/deadline", 400, closes="2020-01-01T00:00")

    teacher.send("/play/sets/1/deadline", closes="2031-02-03T04:05")

    assert "2031-02-03 04:05" in pupil.visit("/play/sets/1").replace("T", " ")
    with arena.transaction() as session:
        session.execute(update(LiveSet).values(closes=1.0))
    assert "has passed" in teacher.send("/play/sets/1/deadline", 400, closes="2031-02-03T04:05")
    assert "/play/sets/1/deadline" not in teacher.visit("/play/sets/1")


def test_mistaken_set_is_deleted(teacher: Person, pupil: Person, arena: Arena) -> None:
    """The page asks first; once a member has begun, it says why not."""
    for _ in range(2):
        teacher.send("/groups/1/deals", **DEALS)
    assert "Separate Suits, 2 deals" in words(teacher.visit("/play/sets/1/delete"))
    assert "The deals are deleted." in words(teacher.send("/play/sets/1/delete"))

    play(arena, pupil, "/play/sets/2")

    assert "/play/sets/2/delete" not in teacher.visit("/play/sets/2")
    assert "have begun to play" in words(teacher.send("/play/sets/2/delete", 400))
