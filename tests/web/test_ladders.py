"""Ladders: started by admins, watched by everybody."""

import re
from collections.abc import Callable

import pytest
from sqlalchemy import select

from arena.db.models import Table
from arena.services import play
from arena.services.context import Arena
from arena.services.shapes import QUEUED
from tests import factories
from tests.drawn import drawn
from tests.web.conftest import Person, words

VARIANT = "separate-suits-2"
LADDER = f"/ladders/{VARIANT}"


@pytest.fixture
def admin(arena: Arena, ada: Person, promote: Callable[[Person], Person], monkeypatch: pytest.MonkeyPatch) -> Person:
    """An admin of an arena where two have bots."""
    monkeypatch.setattr(play, "play_work", drawn({}))
    for owner in ("eve", "fay"):
        account = factories.user(arena, owner)
        for number in (1, 2):
            factories.bot(arena, account, f"{owner}-{number}")
    return promote(ada)


def play_some(arena: Arena, count: int) -> None:
    """Play the tables that have waited longest."""
    with arena.reading() as session:
        waiting = session.scalars(select(Table.id).where(Table.state == QUEUED).order_by(Table.id).limit(count))
        ids = list(waiting)
    factories.play_all(arena, ids)


def test_an_admin_starts_a_ladder_and_everybody_follows_it(arena: Arena, admin: Person, visitor: Person) -> None:
    """After a page that says what will happen: what waits, what was played, whose bots had the seats."""
    assert "Start the ladder" in admin.visit(LADDER)
    assert "every later one as soon as it has passed its check" in words(admin.visit(f"{LADDER}/start"))
    started = admin.send(f"{LADDER}/start")
    assert "The ladder is started." in started
    play_some(arena, 6)

    page = visitor.visit(LADDER)
    said = words(page)
    assert f'hx-get="{LADDER}/live"' in page
    assert "4 bots take part 6 tables played" in said
    assert "queued" in said
    assert "Whose bots play" in said
    assert "eve-1" in said
    assert "Pause" not in said
    assert "hx-get" in visitor.visit(f"{LADDER}/live")


def test_a_paused_ladder_and_a_cancelled_one_are_told_apart(admin: Person) -> None:
    """The one can be resumed; after the other a new one can be started."""
    page = admin.send(f"{LADDER}/start")
    number = re.findall(r"/tournaments/(\d+)/pause", page)[0]

    admin.send(f"/tournaments/{number}/pause")
    paused = admin.visit(LADDER)
    assert f"/tournaments/{number}/resume" in paused
    assert "hx-get" not in paused

    admin.send(f"/tournaments/{number}/cancel")
    cancelled = admin.visit(LADDER)
    assert "Earlier ladders" in cancelled
    assert "Start the ladder" in cancelled


def test_one_ladder_is_enough(admin: Person) -> None:
    """A second is refused in words."""
    admin.send(f"{LADDER}/start")

    assert "There is a ladder of" in words(admin.send(f"{LADDER}/start", 400))


def test_alone_at_the_cards_there_is_no_ladder(admin: Person) -> None:
    """It says why, and offers none."""
    page = admin.visit("/ladders/suits-barnhart-solitaire")

    assert "played alone" in page
    assert "Start the ladder" not in page


def test_members_start_none(visitor: Person, bob: Person) -> None:
    """Visitors are asked to log in, members are told that they may not."""
    assert "Log in first" in words(visitor.visit(f"{LADDER}/start"))
    bob.visit(f"{LADDER}/start", 403)
    bob.send(f"{LADDER}/start", 403)


@pytest.mark.parametrize("address", ["/ladders/chess", "/ladders/chess/live", "/ladders/chess/start"])
def test_an_unknown_variant_is_not_there(admin: Person, address: str) -> None:
    """A mistyped address is a 404."""
    assert "There is nothing here" in admin.visit(address, 404)
