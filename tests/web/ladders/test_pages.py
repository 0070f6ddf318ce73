"""Ladders: started by admins, visible to everyone."""

import re
from collections.abc import Callable

import pytest
from sqlalchemy import select, update

from arena.db.models import CurrentRating, Table, Tournament
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.tournaments import pages as tournament_pages
from arena.services.work import play
from tests import factories
from tests.simulated_play import simulated_play
from tests.web.conftest import Person, words
from web.ladders import pages as ladders

VARIANT = "separate-suits-2"
LADDER = f"/ladders/{VARIANT}"


@pytest.fixture
def admin(arena: Arena, ada: Person, promote: Callable[[Person], Person], monkeypatch: pytest.MonkeyPatch) -> Person:
    """An admin of an arena in which two members have bots."""
    monkeypatch.setattr(play, "play_work", simulated_play({}))
    for owner in ("eve", "fay"):
        account = factories.user(arena, owner)
        for number in (1, 2):
            factories.bot(arena, account, f"{owner}-{number}")
    return promote(ada)


def play_some(arena: Arena, count: int) -> None:
    """Play the first `count` queued tables."""
    with arena.reading() as session:
        waiting = session.scalars(
            select(Table.id).where(Table.state == TableState.QUEUED).order_by(Table.id).limit(count)
        )
        ids = list(waiting)
    factories.play_all(arena, ids)


def test_admin_starts_a_ladder(arena: Arena, admin: Person, visitor: Person) -> None:
    """After a confirmation, the ladder's page shows queued and played tables and the owners to everyone."""
    assert "Start the ladder" in admin.visit(LADDER)
    assert "later ones when they pass their check" in words(admin.visit(f"{LADDER}/start"))
    started = admin.send(f"{LADDER}/start")
    assert "The ladder has started." in started
    play_some(arena, 6)

    page = visitor.visit(LADDER)
    said = words(page)
    assert f'hx-get="{LADDER}/live"' in page
    assert "4 bots 6 tables played" in said
    assert "queued" in said
    assert "Shares by owner" in said
    assert "eve-1" in said
    assert "Pause" not in said
    assert "hx-get" in visitor.visit(f"{LADDER}/live")


def test_ladder_shows_its_leaders_and_reads_no_tournament_page(
    arena: Arena, admin: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page shows the first places, links to the leaderboard for the rest, and computes no standings."""
    admin.send(f"{LADDER}/start")
    play_some(arena, 6)
    monkeypatch.setattr(ladders, "ROWS", 3)
    monkeypatch.setattr(tournament_pages, "standings", None)  # nobody computes them
    page = admin.visit(LADDER)

    assert len(re.findall(f'href="/versions/\\d+/statistics/{VARIANT}"', page)) == 3
    assert f'<a href="/leaderboard/{VARIANT}">All 4 bots on the leaderboard</a>' in page
    assert "/pause" in page


def test_ladder_is_paused_and_cancelled(admin: Person) -> None:
    """A paused ladder can be resumed; after a cancelled one a new ladder can be started."""
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


def test_second_ladder_is_refused(admin: Person) -> None:
    """A variant has at most one open ladder."""
    admin.send(f"{LADDER}/start")

    assert "There is already a ladder of" in words(admin.send(f"{LADDER}/start", 400))


def test_solitaire_has_no_ladder(admin: Person) -> None:
    """The page gives the reason and offers no start."""
    page = admin.visit("/ladders/suits-barnhart-solitaire")

    assert "Solitaire variants have no ladder" in page
    assert "Start the ladder" not in page


@pytest.mark.parametrize("address", ["/ladders/chess", "/ladders/chess/live", "/ladders/chess/start"])
def test_unknown_variant_is_not_found(admin: Person, address: str) -> None:
    """An unknown variant is answered with 404."""
    assert "Page not found" in admin.visit(address, 404)


def test_resting_ladder_is_called_resting(arena: Arena, admin: Person, visitor: Person) -> None:
    """A ladder that has played its tables and needs no more is resting, on its page and in lists."""
    admin.send(f"{LADDER}/start")
    with arena.transaction() as session:
        ladder = session.scalars(select(Tournament).where(Tournament.format == "ladder")).one()
        ladder.rest, ladder.tables_done = "mark", ladder.tables_total - 1
    assert "resting" not in words(visitor.visit(LADDER))

    with arena.transaction() as session:
        session.execute(update(Tournament).values(tables_done=Tournament.tables_total))
    for address in (LADDER, "/tournaments/?kind=ladders", "/tournaments/1"):
        assert "resting" in words(visitor.visit(address))
    admin.send("/tournaments/1/pause")
    assert "resting" not in words(visitor.visit(LADDER))


def test_page_says_what_is_uncertain(arena: Arena, admin: Person, visitor: Person) -> None:
    """The page tells how many ratings need more tables, how many tables, the time, and when the ladder rests."""
    admin.send(f"{LADDER}/start")
    waiting = words(visitor.visit(LADDER))
    assert "4 ratings of 4 are still uncertain, with a sigma above 2" in waiting
    assert "About 40 tables will change that, as soon as workers have nothing more urgent to play." in waiting

    play_some(arena, 6)
    page = visitor.visit(LADDER)
    assert re.search(r"About \d+ tables will change that, in about \d+ \w+ at the present pace.", words(page))
    assert "Still uncertain The least certain ratings" in words(page)
    bot = re.findall(r'href="(/bots/\d+)"', page)[0]
    assert re.search(rf'<a href="{LADDER}">about \d+</a>', visitor.visit(bot))
    assert "its place may still change a lot" in words(visitor.visit(f"/leaderboard/{VARIANT}"))

    with arena.transaction() as session:
        session.execute(update(CurrentRating).values(sigma=1.9))
    rested = words(visitor.visit(LADDER))
    assert "Every rating has a sigma of 2 or less, or 1,000 tables." in rested
    assert "The ladder rests after the tables that are queued" in rested
    assert "Still uncertain" not in rested
    assert "To go" not in words(visitor.visit(bot))
