"""The playground: the form, the live page, and that others see nothing of it."""

import html
import io
import re
from typing import Any
from zipfile import ZipFile

import pytest
from sqlalchemy import select

from arena.db.models import (
    CurrentRating,
    RatingEvent,
    Table,
    Tournament,
    User,
    VariantPair,
    VariantScore,
    Version,
)
from arena.games.registry import VARIANTS
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.queue import claims
from arena.services.ratings import strengths
from arena.services.trials import actions as trials
from arena.services.trials.views import NewTrial
from tests import factories
from tests.web.conftest import Person, words

VARIANT = "suitability-2"
TRY = f"/bots/1/try?variant={VARIANT}"
STILL = ("/static", "/cards", "/help", "/rules", "/log-in", "/login", "/about", "/register", "/comparisons/new")
"""Beginnings of the addresses of pages that show no results."""
FAILING = b"def act(view):\n    raise ValueError('no')\n"


@pytest.fixture
def versions(arena: Arena, ada: Person, bob: Person) -> dict[str, int]:
    """Version IDs by name: two bots of ada, the second of which fails, and one of bob."""
    sources = {"first": (ada, factories.FIRST), "failing": (ada, FAILING), "chance": (bob, factories.CHANCE)}
    return {
        name: factories.bot(arena, account(arena, owner), name, source) for name, (owner, source) in sources.items()
    }


def account(arena: Arena, person: Person) -> Account:
    """Return the account of a person."""
    with arena.reading() as session:
        found = session.scalars(select(User).where(User.name == person.name)).one()
        return Account(found.id, found.name, found.is_admin)


def asked(versions: dict[str, int], **fields: Any) -> dict[str, Any]:
    """Return the fields of the form."""
    return {
        "variant": VARIANT, "version": versions["first"], "opponents": [versions["chance"]], "number": 4,
        "seatings": "rotations", "boards": "new", **fields,
    }  # fmt: skip


def finish(arena: Arena) -> None:
    """Play all tables that are queued."""
    with arena.reading() as session:
        waiting = session.scalars(select(Table.id).where(Table.state == TableState.QUEUED)).all()
    factories.play_all(arena, waiting)


def test_a_member_plays_now(arena: Arena, ada: Person, versions: dict[str, int]) -> None:
    """From the bot's page to the result, with links to the replays, and again with the same deals."""
    assert "Play now" in words(ada.visit("/bots/1"))
    assert "chance v1" in words(ada.visit(TRY))

    waiting = ada.send(TRY, **asked(versions))
    assert "No result yet" in words(waiting)
    assert 'hx-get="/playground/1/live"' in waiting
    finish(arena)

    page = ada.visit("/playground/1")
    assert "4 of 4 matches" in words(page)
    assert len(set(re.findall(r'href="(/matches/\d+)"', page))) == 4
    assert "hx-get" not in page
    assert "Replay" in ada.visit("/matches/1") or "replay" in ada.visit("/matches/1")
    assert "The deals are those of trial 1." in words(ada.send("/playground/1/again", boards="same"))
    assert "against chance" in words(ada.visit("/bots/1"))
    assert "first v1" in words(ada.visit("/playground"))
    assert "Unrated" in words(ada.visit("/tournaments/1")), "the page of the tournament leads to the trial"


def test_faults_are_marked(arena: Arena, ada: Person, versions: dict[str, int]) -> None:
    """Beside the bot and beside each match."""
    ada.send(TRY, **asked(versions, opponents=[versions["failing"]], number=2))
    finish(arena)

    page = words(ada.visit("/playground/1"))
    assert "2 faults" in page
    assert page.count("error") >= 2


def test_the_deal_of_a_match_is_asked_for_by_a_link(arena: Arena, ada: Person, versions: dict[str, int]) -> None:
    """The link of a match fills in the form, also if its game is another than the last one."""
    ada.send(TRY, **asked(versions, number=2))
    finish(arena)

    form = ada.visit("/bots/1/try?match=1")
    assert re.search(r'checked[^>]*value="match"', form) or 'value="match" checked' in form or "match" in form
    assert 'value="1"' in form
    page = ada.send(TRY, **asked(versions, boards="match", deal_of=1))
    assert "the deal of match 1" in words(page)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"number": 101}, "must be 1 to 100"),
        ({"number": ""}, "Enter a number of matches"),
        ({"boards": "same"}, "Choose the earlier trial"),
        ({"boards": "match"}, "Enter the number of the match"),
        ({"boards": "match", "deal_of": 77}, "There is no match 77"),
        ({"opponents": [1]}, "not a valid choice"),
        ({"opponents": [99]}, "not a valid choice"),
        ({"version": "x"}, "could not coerce"),
    ],
)
def test_what_was_typed_stays(
    arena: Arena, ada: Person, versions: dict[str, int], fields: dict[str, Any], text: str
) -> None:
    """A refused form says why and keeps its fields."""
    page = ada.send(TRY, 400, **asked(versions, **{"number": 17, **fields}))

    assert text in words(page)
    if "number" not in fields:
        assert 'value="17"' in page


def test_another_game_is_chosen(arena: Arena, ada: Person, versions: dict[str, int]) -> None:
    """The button beside the game shows the bots that play it, and starts nothing."""
    page = ada.send(TRY, **asked(versions, variant="suitability-4", switch="variant"))

    assert "A table seats 4" in words(page)
    assert "No trials yet" in words(ada.visit("/playground"))


def test_a_bot_without_a_valid_version_cannot_play(arena: Arena, ada: Person) -> None:
    """The page says why, and the playground offers an upload."""
    assert "no bot with a valid version" in words(ada.visit("/playground"))
    number = factories.bot(arena, account(arena, ada), "new")
    with arena.transaction() as session:
        session.get_one(Version, number).state = "pending"
    assert "no valid version yet" in words(ada.visit("/bots/1/try", 400))


def test_a_trial_is_stopped(arena: Arena, ada: Person, versions: dict[str, int]) -> None:
    """By its owner, after a question."""
    ada.send(TRY, **asked(versions))

    assert "<h1>Stop the trial</h1>" in ada.visit("/playground/1/cancel")
    assert "The trial has stopped." in words(ada.send("/playground/1/cancel"))
    assert "No match was played." in words(ada.visit("/playground/1"))


def test_no_cache_keeps_a_trial(arena: Arena, ada: Person, versions: dict[str, int]) -> None:
    """Every address of a tournament, table or match forbids it to browsers and proxies."""
    trials.create(arena, account(arena, ada), NewTrial(VARIANT, versions["first"], [versions["chance"]], 2))
    finish(arena)
    addresses = [
        "/tournaments/1", "/tournaments/1/live", "/tournaments/1/tables", "/tournaments/1/crosstable",
        "/tournaments/1/statistics", "/tournaments/1/seed.json", "/tables/1", "/matches/1", "/matches/1/replay.json",
        "/matches/1/record.json", "/playground/1/standings.csv",
    ]  # fmt: skip
    for address in addresses:
        response = ada.client.get(address)
        assert response.status_code in (200, 302), address
        assert response.headers["Cache-Control"] == "private, no-store", address


def test_every_address_of_a_part_of_a_tournament_is_checked(arena: Arena, app: Any) -> None:
    """Views name tournaments, tables and matches by the arguments that the check knows."""
    roots = ("/tournaments/", "/tables/", "/matches/", "/comparisons/", "/playground/")
    known = {"tournament_id", "table_id", "match_id", "action", "part", "step", "kind"}
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith(roots):
            assert rule.arguments - {*(rule.defaults or ())} <= known, rule.rule


def crawl(person: Person) -> dict[str, str]:
    """Return all pages that a person reaches by links from the front page, by address."""
    others = [one for one in VARIANTS if one != VARIANT]
    waiting, pages = ["/"], dict[str, str]()
    while waiting:
        address = waiting.pop()
        if address in pages or any(one in address for one in others):
            continue
        page = person.client.get(address, follow_redirects=True).data.decode(errors="replace")  # images too
        pages[address] = re.sub(r'name="(csrf_token|key)" (type="hidden" )?value="[^"]*"', "", page)
        found = re.findall(r'(?:href|hx-get|data-src)="(/[^"#]*)', pages[address])
        waiting += sorted({html.unescape(one) for one in found if not one.startswith(STILL)})
    return pages


def rated(arena: Arena) -> list[object]:
    """Return everything that follows from rated results."""
    strengths.refit(arena)
    with arena.reading() as session:
        return [
            sorted(tuple(row) for row in session.execute(select(*model.__table__.columns)))
            for model in (CurrentRating, RatingEvent, VariantPair, VariantScore)
        ]


def test_a_trial_changes_nothing_for_others(
    arena: Arena, ada: Person, bob: Person, visitor: Person, versions: dict[str, int]
) -> None:
    """All pages of a visitor and of the opponent's owner, their download, ratings and sums stay as they were."""
    factories.tournament(arena, account(arena, ada), list(versions.values()), VARIANT)
    finish(arena)
    people = (visitor, bob)
    numbers, data = rated(arena), download(bob)
    before = [crawl(person) for person in people]

    trials.create(arena, account(arena, ada), NewTrial(VARIANT, versions["failing"], [versions["chance"]], 4))
    first = factories.table_ids(arena, 2)[0]
    claim = claims.claim(arena, first, "tester")
    assert crawl(visitor) == before[0], "while a table is played and others wait"
    assert claim
    claims.hand_back(arena, [claim])
    finish(arena)

    assert rated(arena) == numbers
    assert [crawl(person) for person in people] == before
    assert download(bob) == data
    with arena.reading() as session:
        assert session.scalars(select(Tournament.id).where(~Tournament.rated)).all() == [2]
    assert len(before[1]) > 20


def download(person: Person) -> dict[str, bytes]:
    """Return the tables of results in the download of a member's data."""
    response = person.client.post("/account/data")
    with ZipFile(io.BytesIO(response.data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith(".csv")}
