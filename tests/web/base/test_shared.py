"""Shared pages: the same bytes for all visitors, new after each change, and nothing that belongs to anybody."""

import gzip
from collections.abc import Callable
from random import Random
from typing import Final

import brotli
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import update

from arena.db.models import Bot, User
from arena.services.base.context import Arena
from arena.services.bots import actions as bots
from arena.services.ratings import strengths
from arena.services.ratings.fold import fold_all
from arena.services.tournaments import actions as tournaments
from arena.services.work import play
from arena.services.work.sweep import tick
from tests import factories
from tests.simulated_play import simulated_play
from tests.web.conftest import Person
from web.app import create_app
from web.base import shared
from web.home import pages as home
from web.serving.shelf import Shelf

VARIANT: Final = "suitability-4"
ENCODED: Final = {"Accept-Encoding": "gzip, br"}


class Cup:
    """A tournament, and the pages that show something of it."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.owner = factories.user(arena, "grace", admin=True)
        self.versions = factories.field_of(arena, self.owner, 5)
        self.id = factories.tournament(arena, self.owner, self.versions, rounds=4)
        self.waiting = factories.table_ids(arena, self.id)
        self.pages = (
            "/", "/leaderboard/", "/crosstables/", f"/crosstables/{VARIANT}/1/2", "/statistics/", "/tournaments/",
            "/bots", "/bots/1", f"/versions/1/statistics/{VARIANT}", f"/tables/{self.waiting[0]}",
            *(f"/tournaments/{self.id}{part}" for part in ("", "/live", "/tables", "/crosstable", "/statistics")),
        )  # fmt: skip

    def play(self, count: int = 1) -> None:
        """Play the next tables."""
        factories.play_all(self.arena, self.waiting[:count])
        del self.waiting[:count]

    def rename(self, model: type[Bot | User], name: str) -> None:
        """Rename a bot or a user."""
        with self.arena.transaction() as session:
            session.execute(update(model).where(model.id == 1).values(name=name))


@pytest.fixture
def cup(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> Cup:
    """A tournament whose results are drawn."""
    monkeypatch.setattr(play, "play_work", simulated_play({"bot-0": 2.0, "bot-1": 1.0}))
    return Cup(arena)


class Forgetful:
    """An app that keeps nothing."""

    def __init__(self, arena: Arena) -> None:
        self._app = create_app(arena, {"SHARED_SECONDS": 0.0})
        self._client = self._app.test_client()

    def page(self, address: str) -> bytes:
        """Return a page that is rendered now."""
        self._app.extensions["shared"].pages = Shelf(0, 0.0)
        self._app.extensions["shared"].figures = Shelf(0, 0.0)
        return bytes(self._client.get(address).data)


def test_every_change_is_on_the_next_page(cup: Cup, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """After any change, each page is what a fresh app renders, and its ETag changes if and only if its bytes do."""
    monkeypatch.setattr(home, "FEATURED_SECONDS", 1e-6)  # a featured match stays for a while, whatever changes
    rng, arena, visitor, forgetful = Random(1), cup.arena, app.test_client(), Forgetful(cup.arena)
    changes: dict[str, Callable[[], object]] = {
        "table": cup.play,
        "tables": lambda: cup.play(4),
        "bot": lambda: cup.rename(Bot, f"bot-{rng.random()}"),
        "user": lambda: cup.rename(User, f"user-{rng.random()}"),
        "inactive": lambda: bots.set_active(arena, cup.owner, 3, False),
        "active": lambda: bots.set_active(arena, cup.owner, 3, True),
        "strengths": lambda: strengths.refit(arena),
        "ratings": lambda: fold_all(arena),
        "pause": lambda: tournaments.pause(arena, cup.owner, cup.id),
        "nothing": lambda: None,
        "sweep": lambda: tick(arena),
    }
    known: dict[str, tuple[str, bytes]] = {}
    order = ["tables", *rng.sample([name for name in changes if name not in ("tables", "pause")], 7), "tables", "pause"]
    for name in order:
        changes[name]()
        for address in cup.pages:
            response = visitor.get(address)
            assert response.data == forgetful.page(address), (name, address)
            now = (response.headers["ETag"], response.data)
            if address in known:
                assert (known[address][0] == now[0]) is (known[address][1] == now[1]), (name, address)
            known[address] = now


def test_unchanged_page_is_not_rendered_again(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the seconds nothing is read, and after them the database's stamp alone."""
    app = create_app(cup.arena, {"SHARED_SECONDS": 60.0})
    views = list[str]()
    app.before_request(lambda: views.append("seen"))
    clients = [app.test_client() for _ in range(3)]

    pages = {client.get("/leaderboard/").data for client in clients}
    with cup.arena.transaction() as session:
        session.execute(update(User).values(name="eve"))

    assert views == ["seen"]
    assert len(pages) == 1
    assert clients[0].get("/leaderboard/").data in pages


@pytest.mark.parametrize("seconds", [0.0, 60.0])
def test_answers_before_flask_and_by_flask_are_alike(arena: Arena, seconds: float) -> None:
    """The second answer has the headers of the first, but for its own ID, and as few bytes as the client accepts."""
    app = create_app(arena, {"SHARED_SECONDS": seconds})
    first, second = (app.test_client().get("/help", headers=ENCODED) for _ in range(2))
    plain = app.test_client().get("/help")
    packed = app.test_client().get("/help", headers={"Accept-Encoding": "gzip"})
    known = app.test_client().get("/help", headers={"If-None-Match": first.headers["ETag"]})

    own = "X-Request-ID"
    assert first.headers[own] != second.headers[own]
    assert {*first.headers} - {(own, first.headers[own])} == {*second.headers} - {(own, second.headers[own])}
    assert brotli.decompress(second.data) == plain.data == gzip.decompress(packed.data)
    assert plain.headers["ETag"] == packed.headers["ETag"] == first.headers["ETag"]
    assert (known.status_code, known.data) == (304, b"")
    assert known.headers["Vary"] == "Accept-Encoding, Accept-Language, Cookie"
    assert first.headers["Cache-Control"] == "private, no-cache"


def test_visitors_never_get_what_belongs_to_a_member(cup: Cup, app: Flask, ada: Person, visitor: Person) -> None:
    """Members see their name and menu, before and after visitors who see neither; tokens are in no shared page."""
    with cup.arena.transaction() as session:
        session.execute(update(User).where(User.name == "ada").values(is_admin=True))
    for address in (*cup.pages, "/help", "/games/", "/games/suitability"):
        anonymous = visitor.visit(address)
        own = ada.visit(address)

        assert visitor.visit(address) == anonymous
        assert "csrf_token" not in anonymous
        assert "/logout" not in anonymous
        if "<!doctype html>" in own:
            assert "Account menu of ada" in own
            assert "Account menu" not in anonymous


def test_message_is_shown_once_and_to_nobody_else(app: Flask, visitor: Person) -> None:
    """A visitor with a message gets a page of their own, and then the shared one."""
    before = visitor.visit("/")
    guest = Person(app)
    guest.client.post("/logout")

    assert "You are logged out." in guest.visit("/")
    assert visitor.visit("/") == before
    assert guest.visit("/") == before


def test_nothing_sets_a_cookie_unless_something_changed(ada: Person, visitor: Person) -> None:
    """Reading pages does not renew the session's cookie."""
    for person in (ada, visitor):
        for address in ("/", "/leaderboard/", "/tournaments/", "/nothing"):
            assert "Set-Cookie" not in person.client.get(address).headers


def test_views_that_use_the_session_are_not_shared(arena: Arena) -> None:
    """A view that stores something in a visitor's session is rendered for each."""
    from flask import session

    app = create_app(arena, {"SHARED_SECONDS": 60.0})
    count = iter(range(10))

    @app.get("/counting")
    @shared.shared()
    def counting() -> str:
        session["seen"] = next(count)
        return str(session["seen"])

    assert [app.test_client().get("/counting").text for _ in range(3)] == ["0", "1", "2"]


def test_failed_pages_are_not_kept(arena: Arena, app: Flask, visitor: Person) -> None:
    """A tournament that does not exist is found when it does."""
    visitor.visit("/tournaments/1", 404)
    Cup(arena)

    visitor.visit("/tournaments/1")


def test_parameters_that_a_view_does_not_read_change_nothing(cup: Cup, app: Flask, visitor: Person) -> None:
    """A shared page is kept once, whatever else the query says."""
    pages = app.extensions["shared"].pages
    visitor.visit("/leaderboard/")
    before = pages.size

    for number in range(3):
        visitor.visit(f"/leaderboard/?x={number}")

    assert pages.size == before


def test_addresses_that_are_answered_early_are_bounded(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many addresses of one page do not fill the memory."""
    monkeypatch.setattr(shared, "ADDRESSES", 5)
    app = create_app(arena, {"SHARED_SECONDS": 60.0})
    client: FlaskClient = app.test_client()

    for number in range(20):
        assert client.get(f"/about?x={number}").status_code == 200

    assert len(app.extensions["shared"]._ready) <= 5


def test_live_part_of_a_member_costs_a_304_if_nothing_changed(cup: Cup, ada: Person) -> None:
    """Members' polls are conditional, too."""
    address = f"/tournaments/{cup.id}/live"
    first = ada.client.get(address, headers=ENCODED)
    again = ada.client.get(address, headers={**ENCODED, "If-None-Match": first.headers["ETag"]})
    cup.play()
    later = ada.client.get(address, headers={**ENCODED, "If-None-Match": first.headers["ETag"]})

    assert first.headers["Content-Encoding"] == "br"
    assert again.status_code == 304
    assert later.status_code == 200


def test_pages_with_input_are_not_compressed(ada: Person) -> None:
    """A page that may repeat the request beside a token has a length that reveals nothing about the token."""
    for address in ("/login?next=/me", "/bots/upload", "/nothing"):
        response = ada.client.get(address, headers=ENCODED)
        assert "Content-Encoding" not in response.headers


def test_metrics_count_early_answers(arena: Arena) -> None:
    """Requests that do not reach Flask are measured like others."""
    from arena.services.base.measures import REQUESTS

    app = create_app(arena, {"SHARED_SECONDS": 60.0})

    def counted() -> float:
        return sum(
            sample.value for family in REQUESTS.collect() for sample in family.samples if sample.name.endswith("_count")
        )

    before = counted()
    for _ in range(3):
        app.test_client().get("/about")

    assert counted() == before + 3
