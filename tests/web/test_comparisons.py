"""Comparisons: asked in a form, followed live, answered in words."""

import re
from typing import Any

import pytest
from sqlalchemy import select

from arena.db.models import Table, User, Version
from arena.services import play
from arena.services.bots import new_version
from arena.services.context import Arena
from arena.services.shapes import QUEUED, Account
from tests import factories
from tests.drawn import drawn
from tests.web.conftest import DEMO, League, Person, words

VARIANT = "separate-suits-2"
NEW = f"/comparisons/new?variant={VARIANT}"
ASKED: dict[str, Any] = {"variant": VARIANT, "delta": "0.2", "most": 40}


@pytest.fixture
def versions(arena: Arena, ada: Person, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Two bots of ada, of which one is better, and one of somebody else; versions by name."""
    monkeypatch.setattr(play, "play_work", drawn({"strong": 3.0}))
    bots = {"weak": account(arena, ada), "strong": account(arena, ada), "foreign": factories.user(arena, "eve")}
    return {name: str(factories.bot(arena, owner, name)) for name, owner in bots.items()}


def account(arena: Arena, person: Person) -> Account:
    """The account of a person."""
    with arena.reading() as session:
        found = session.scalars(select(User).where(User.name == person.name)).one()
        return Account(found.id, found.name, found.is_admin)


def finish(arena: Arena) -> None:
    """Play whatever waits."""
    while waiting := queued(arena):
        factories.play_all(arena, waiting)


def queued(arena: Arena) -> list[int]:
    """The tables that wait."""
    with arena.reading() as session:
        return list(session.scalars(select(Table.id).where(Table.state == QUEUED)))


def upgrade(arena: Arena, version_id: int) -> tuple[int, int]:
    """Give the bot of this version a second one; bot and version."""
    with arena.transaction() as session:
        bot = session.get_one(Version, version_id).bot
        version = new_version(bot.id, 2, factories.LAST)
        version.state = "valid"
        session.add(version)
        session.flush()
        bot.active_version_id = version.id
        return bot.id, version.id


def number_in(page: str) -> int:
    """The comparison that a page is about."""
    return int(re.findall(r"/comparisons/(\d+)/live", page)[0])


def test_a_member_asks_and_reads_the_answer(arena: Arena, ada: Person, versions: dict[str, str]) -> None:
    """From the form to a page that polls; then evidence, lead and tables, and nothing polls any more."""
    asked = ada.send(NEW, **ASKED, a=versions["weak"], b=versions["strong"])
    assert "Is strong v1 better than weak v1?" in words(asked)
    assert "Not known yet." in words(asked)
    assert "0 of 40 tables at most" in words(asked)
    number = number_in(asked)

    finish(arena)
    part = ada.visit(f"/comparisons/{number}/live")
    assert "Yes: strong v1 is better." in words(part)
    assert "It is ahead by" in words(part)
    assert "hx-get" not in part
    assert part.count("<summary>The numbers</summary>") == 2
    assert 'href="/tables/' in part
    assert "strong v1 against weak v1" in ada.visit("/comparisons/")


@pytest.mark.parametrize(
    ("a", "b", "more", "verdict"),
    [
        ("strong", "weak", {}, "No: weak v1 is not better."),
        ("weak", "foreign", {"delta": "0.02", "most": 20}, "It cannot be told within 20 tables."),
    ],
)
def test_other_answers_are_plain_as_well(
    arena: Arena, ada: Person, versions: dict[str, str], a: str, b: str, more: dict[str, Any], verdict: str
) -> None:
    """Also that there is none."""
    number = number_in(ada.send(NEW, **{**ASKED, **more}, a=versions[a], b=versions[b]))
    finish(arena)

    assert verdict in words(ada.visit(f"/comparisons/{number}"))


def test_whoever_asked_may_stop_it(
    arena: Arena, ada: Person, bob: Person, visitor: Person, versions: dict[str, str]
) -> None:
    """Nobody else but admins; visitors are asked to log in."""
    number = number_in(ada.send(NEW, **ASKED, a=versions["weak"], b=versions["strong"]))
    stop = f"/comparisons/{number}/cancel"

    assert stop not in bob.visit(f"/comparisons/{number}")
    assert "Only an administrator may do this." in words(bob.send(stop, 400))
    assert "Log in first" in words(visitor.visit(stop))
    assert stop in ada.visit(f"/comparisons/{number}")
    assert "It was cancelled before it was known." in words(ada.send(stop))


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"a": "foreign", "b": "foreign"}, "two different"),
        ({"most": "1000000"}, "20 to 2,000 tables"),
        ({"most": "many"}, "Not a valid integer"),
        ({"delta": "0.9"}, "Not a valid choice"),
        ({"delta": "nan"}, "Not a valid choice"),
        ({"a": "999999"}, "Not a valid choice"),
        ({"b": "x" * 10_000}, "Invalid Choice"),
        ({"variant": "chess"}, "Not a valid choice"),
    ],
)
def test_nonsense_is_refused_in_words(
    ada: Person, versions: dict[str, str], fields: dict[str, str], complaint: str
) -> None:
    """And the form comes back."""
    sent = {**ASKED, "a": "weak", "b": "strong", **fields}
    sent |= {name: versions.get(sent[name], sent[name]) for name in ("a", "b")}

    assert complaint in words(ada.send(NEW, 400, **sent))


def test_members_compare_what_is_theirs(bob: Person, versions: dict[str, str]) -> None:
    """Whoever has neither is told so."""
    page = bob.send(NEW, 400, **ASKED, a=versions["weak"], b=versions["strong"])

    assert "One of the two versions must be of a bot of yours." in words(page)


def test_choosing_another_game_starts_nothing(ada: Person, versions: dict[str, str]) -> None:
    """The button shows who plays it; two bots of the right game stand chosen."""
    page = ada.send(NEW, **{**ASKED, "variant": "suits-steere-3"}, a=versions["weak"], b=versions["strong"], switch="1")

    assert "Compare two versions" in page
    assert "Nobody has compared two versions yet." in ada.visit("/comparisons/")


def test_the_address_fills_in_the_form(ada: Person, versions: dict[str, str]) -> None:
    """As a bot's page does; nonsense is passed over."""
    page = ada.visit(f"{NEW}&a={versions['weak']}&b={versions['foreign']}")
    nonsense = ada.visit("/comparisons/new?variant=chess&a=x&b=-5")

    assert len(re.findall(rf'<option selected value="{versions["foreign"]}">', page)) == 1
    assert "Compare two versions" in nonsense


def test_without_two_versions_there_is_nothing_to_ask(ada: Person) -> None:
    """The form says so."""
    assert "Fewer than two versions play this game." in ada.visit("/comparisons/new")


def test_a_bots_page_offers_to_compare_with_the_version_before(
    arena: Arena, ada: Person, bob: Person, versions: dict[str, str]
) -> None:
    """To its owner alone, as soon as the new one has played."""
    bot, version = upgrade(arena, int(versions["weak"]))
    cup = factories.tournament(arena, account(arena, ada), [version, int(versions["strong"])], VARIANT)
    factories.play_all(arena, factories.table_ids(arena, cup))

    assert "Compare with version 1" in words(ada.visit(f"/bots/{bot}"))
    assert "Compare with version 1" not in words(bob.visit(f"/bots/{bot}"))


@pytest.mark.parametrize(
    "address", ["/comparisons/999999", f"/comparisons/{DEMO}", "/comparisons/x", "/comparisons/999999/cancel"]
)
def test_what_is_no_comparison_has_no_page(league: League, address: str) -> None:
    """Neither a tournament of another format nor nonsense."""
    assert "There is nothing here" in league.admin.visit(address, 404)
