"""Comparisons: the form, the live page, and the answer."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from arena.db.models import Table, User, Version
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.base.states import TableState
from arena.services.bots.actions import new_version
from arena.services.comparisons.views import Compared
from arena.services.work import play
from tests import factories
from tests.simulated_play import simulated_play
from tests.web.conftest import DEMO, League, Person, words
from web.comparisons import pages as comparisons

VARIANT = "separate-suits-2"
NEW = f"/comparisons/new?variant={VARIANT}"
ASKED: dict[str, Any] = {"variant": VARIANT, "delta": "0.2", "most": 40}


@pytest.fixture
def versions(arena: Arena, ada: Person, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Version ids by name: two bots of ada, one of them stronger, and one of another owner."""
    monkeypatch.setattr(play, "play_work", simulated_play({"strong": 3.0}))
    bots = {"weak": account(arena, ada), "strong": account(arena, ada), "foreign": factories.user(arena, "eve")}
    return {name: str(factories.bot(arena, owner, name)) for name, owner in bots.items()}


def account(arena: Arena, person: Person) -> Account:
    """Return the account of a person."""
    with arena.reading() as session:
        found = session.scalars(select(User).where(User.name == person.name)).one()
        return Account(found.id, found.name, found.is_admin)


def finish(arena: Arena) -> None:
    """Play tables until none is queued."""
    while waiting := queued(arena):
        factories.play_all(arena, waiting)


def queued(arena: Arena) -> list[int]:
    """Return the ids of the queued tables."""
    with arena.reading() as session:
        return list(session.scalars(select(Table.id).where(Table.state == TableState.QUEUED)))


def upgrade(arena: Arena, version_id: int) -> tuple[int, int]:
    """Activate a second version of a version's bot; returns the bot's id and the new version's."""
    with arena.transaction() as session:
        bot = session.get_one(Version, version_id).bot
        version = new_version(bot.id, 2, factories.LAST)
        version.state = "valid"
        session.add(version)
        session.flush()
        bot.active_version_id = version.id
        return bot.id, version.id


def number_in(page: str) -> int:
    """Return the id of the comparison that a page shows."""
    return int(re.findall(r"/comparisons/(\d+)/live", page)[0])


def test_member_compares_two_versions(arena: Arena, ada: Person, versions: dict[str, str]) -> None:
    """The page polls until there is an answer, then shows verdict, evidence, lead and tables."""
    asked = ada.send(NEW, **ASKED, a=versions["weak"], b=versions["strong"])
    assert "Is strong v1 better than weak v1?" in words(asked)
    assert "No answer yet." in words(asked)
    assert "0 of at most 40 tables" in words(asked)
    number = number_in(asked)

    finish(arena)
    part = ada.visit(f"/comparisons/{number}/live")
    assert "Yes: strong v1 is better." in words(part)
    assert "Ahead by" in words(part)
    assert "hx-get" not in part
    assert part.count("<summary>Data</summary>") == 2
    assert 'href="/tables/' in part
    assert "strong v1 against weak v1" in ada.visit("/comparisons/")


@pytest.mark.parametrize(
    ("a", "b", "more", "verdict"),
    [
        ("strong", "weak", {}, "No: weak v1 is not better."),
        ("weak", "foreign", {"delta": "0.02", "most": 32}, "No answer after 32 tables."),
    ],
)
def test_negative_and_open_answers_are_stated(
    arena: Arena, ada: Person, versions: dict[str, str], a: str, b: str, more: dict[str, Any], verdict: str
) -> None:
    """The page also reports that the candidate is not better, or that there is no answer."""
    number = number_in(ada.send(NEW, **{**ASKED, **more}, a=versions[a], b=versions[b]))
    finish(arena)

    assert verdict in words(ada.visit(f"/comparisons/{number}"))


@pytest.mark.parametrize(
    ("llr", "target", "says"),
    [
        (0.5, 0.0, "The tables speak for neither answer."),
        (3.0, 0.0, "If new v2 were no better than old v1, at most 1 in 20 comparisons"),
        (3.0, 0.1, "If new v2 took no more than 55 % of the points, at most 1 in 20 comparisons"),
        (-3.0, 0.0, "If new v2 led by 5 % or more, at most 1 in 20 comparisons"),
        (50.0, 0.0, "fewer than 1 in 1,000,000 comparisons would ever show evidence this strong to the contrary."),
    ],
)
def test_meaning_of_the_evidence_is_a_sentence(llr: float, target: float, says: str) -> None:
    """The capital of a gambler bounds the probability of such evidence under the other answer."""
    old, new = (Compared(1, name, number, number, "ada") for name, number in (("old", 1), ("new", 2)))
    page: Any = SimpleNamespace(a=old, b=new, llr=llr, target=target, delta=0.05)

    assert says in comparisons.meaning(page)


def test_creator_can_cancel_a_comparison(ada: Person, bob: Person, versions: dict[str, str]) -> None:
    """Other members have no link to it and are refused."""
    number = number_in(ada.send(NEW, **ASKED, a=versions["weak"], b=versions["strong"]))
    stop = f"/comparisons/{number}/cancel"

    assert stop not in bob.visit(f"/comparisons/{number}")
    assert "Only the member who started this comparison" in words(bob.send(stop, 403))
    assert stop in ada.visit(f"/comparisons/{number}")
    assert "<h1>Cancel the comparison</h1>" in ada.visit(stop)
    assert "Cancelled without an answer." in words(ada.send(stop))


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
def test_invalid_comparison_is_refused(
    ada: Person, versions: dict[str, str], fields: dict[str, str], complaint: str
) -> None:
    """The form comes back with the reason."""
    sent = {**ASKED, "a": "weak", "b": "strong", **fields}
    sent |= {name: versions.get(sent[name], sent[name]) for name in ("a", "b")}

    assert complaint in words(ada.send(NEW, 400, **sent))


def test_member_must_own_one_of_the_versions(bob: Person, versions: dict[str, str]) -> None:
    """A member without a bot in the comparison is refused with the reason."""
    page = bob.send(NEW, 400, **ASKED, a=versions["weak"], b=versions["strong"])

    assert "One of the two versions must be one of your bots." in words(page)


def test_choosing_another_game_starts_nothing(ada: Person, versions: dict[str, str]) -> None:
    """The button shows the versions that play the chosen game and starts no comparison."""
    page = ada.send(NEW, **{**ASKED, "variant": "suits-steere-3"}, a=versions["weak"], b=versions["strong"], switch="1")

    assert "Compare two versions" in page
    assert "No comparisons yet." in ada.visit("/comparisons/")


def test_query_fills_in_the_form(ada: Person, versions: dict[str, str]) -> None:
    """Versions in the query are preselected, and invalid values are ignored."""
    page = ada.visit(f"{NEW}&a={versions['weak']}&b={versions['foreign']}")
    nonsense = ada.visit("/comparisons/new?variant=chess&a=x&b=-5")

    assert len(re.findall(rf'<option selected value="{versions["foreign"]}">', page)) == 1
    assert "Compare two versions" in nonsense


def test_comparison_needs_two_versions(ada: Person) -> None:
    """The form says that there are too few versions."""
    assert "Fewer than two versions play this game." in ada.visit("/comparisons/new")


def test_bot_page_offers_a_comparison_with_the_previous_version(
    arena: Arena, ada: Person, bob: Person, versions: dict[str, str]
) -> None:
    """The page that compares two versions offers a test of the later one, to the owner only."""
    bot, version = upgrade(arena, int(versions["weak"]))
    cup = factories.tournament(arena, account(arena, ada), [version, int(versions["strong"])], VARIANT)
    factories.play_all(arena, factories.table_ids(arena, cup))

    offer = f"/comparisons/new?variant={VARIANT}&amp;a=1&amp;b={version}"
    assert f'href="/bots/{bot}/versions/results"' in ada.visit(f"/bots/{bot}")
    assert offer in ada.visit(f"/bots/{bot}/versions/results")
    assert offer not in bob.visit(f"/bots/{bot}/versions/results")


@pytest.mark.parametrize(
    "address", ["/comparisons/999999", f"/comparisons/{DEMO}", "/comparisons/x", "/comparisons/999999/cancel"]
)
def test_other_tournaments_are_not_comparisons(league: League, address: str) -> None:
    """Unknown ids and tournaments of other formats are answered with 404."""
    assert "Page not found" in league.admin.visit(address, 404)
