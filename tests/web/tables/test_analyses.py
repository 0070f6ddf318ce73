"""Analyses of matches on pages, in the API and in files."""

import json

import pytest
from flask import Flask
from sqlalchemy import select

from arena.db.models import User
from arena.match import analysis
from arena.services.analyses import actions
from arena.services.base.access import Account
from arena.services.base.context import ANALYSE, Arena, Doorbell
from arena.services.live import tables as live
from arena.services.live.people import Person as Sitter
from tests import factories
from tests.analyses import make_all, three
from tests.web.conftest import Person, words

TWO = "suitability-2"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make analyses without playouts."""
    monkeypatch.setattr(analysis, "analyse", three)


@pytest.fixture
def played(arena: Arena, admin: Account) -> int:
    """Play a table of two bots; return the ID of the first one's version. Its matches are 1 and 2."""
    versions = factories.field_of(arena, admin, 2)
    factories.play_all(arena, factories.table_ids(arena, factories.tournament(arena, admin, versions, TWO)))
    return versions[0]


@pytest.mark.usefixtures("played")
def test_member_asks_for_the_analysis_of_a_match(
    arena: Arena, visitor: Person, ada: Person, doorbells: list[Doorbell]
) -> None:
    """The page says that it waits, then who lost how much where; visitors see the same but cannot ask."""
    assert "Members can ask for it" in words(visitor.visit("/matches/1"))
    assert "Analyse this match" not in visitor.visit("/matches/1")

    assert "The match is being analysed" in words(ada.send("/matches/1/analysis"))
    assert doorbells[-1].task == ANALYSE
    make_all(arena)
    for person in (ada, visitor):
        page = person.visit("/matches/1")
        assert 'href="#move=2&amp;view=1"' in page
        assert "mistake" in words(page)
        assert "8S is 9.00 ± 1.00 better" in words(page)


@pytest.mark.usefixtures("played")
def test_visitor_cannot_ask_for_an_analysis(app: Flask, visitor: Person) -> None:
    """A form without an account leads to the log-in: an analysis takes seconds of a worker."""
    assert "Log in" in visitor.send("/matches/1/analysis")
    assert visitor.client.get("/matches/1/analysis.json").get_json() is None


@pytest.mark.usefixtures("played")
def test_analysis_is_a_file_and_data(arena: Arena, visitor: Person) -> None:
    """Each decision is a line of the file; the API has what every legal action was worth."""
    assert "Match 1 is not analysed" in visitor.visit("/api/v1/matches/1/analysis", 404)
    actions.request(arena, 1)
    make_all(arena)
    found = json.loads(visitor.visit("/api/v1/matches/1/analysis"))

    assert found == visitor.client.get("/matches/1/analysis.json").get_json()
    assert [one["mark"] for one in found["decisions"]] == ["best", "best", "mistake"]
    assert found["decisions"][2]["actions"][1] == {"token": "8S", "points": 12.0, "margin": 0.5}
    lines = visitor.visit("/matches/1/decisions.csv").splitlines()
    assert lines[0] == "\ufeffmove,seat,deal,phase,score,action,best,lost,margin,mark"
    assert len(lines) == 4


def test_statistics_show_where_a_version_loses_points(arena: Arena, played: int, visitor: Person, ada: Person) -> None:
    """A member asks for the analyses of the latest matches; the page, the API and the file have the same numbers."""
    address = f"/versions/{played}/statistics/{TWO}"
    assert "None of its matches in this game is analysed yet" in words(visitor.visit(address))
    assert "2 of its latest matches" in words(ada.send(f"/versions/{played}/analyses/{TWO}"))
    make_all(arena)

    assert "Where points are lost Analysed matches Phase Lost a deal" in words(page := visitor.visit(address))
    assert "Following 1.12" in words(page)
    rows = json.loads(visitor.visit(f"/api/v1/versions/{played}/lost/{TWO}"))
    assert [(row["phase"], row["matches"]) for row in rows] == [("nominate", 1), ("leading", 1), ("following", 1)]
    assert visitor.visit(f"/versions/{played}/lost/{TWO}.csv").count("\n") == 4


def test_person_sees_the_own_match_analysed(arena: Arena, app: Flask, ada: Person, admin: Account) -> None:
    """The replay has the person's decisions; those who did not play the cards find nothing."""
    factories.field_of(arena, admin, 2)
    with arena.reading() as session:
        user = session.scalars(select(User).where(User.name == ada.name)).one()
    sitter, wish = Sitter.member(Account(user.id, user.name, is_admin=False)), live.Wish(TWO, bots=("bot-0",))
    ada.visit(f"/play/{live.open_table(arena, sitter, wish)}/replay", 404)
    code, seat = factories.finished_table(arena, sitter, wish)
    with arena.transaction() as session:
        actions.want_live(session, live.find(session, code).id, TWO)
    make_all(arena)
    page = ada.visit(f"/play/{code}/replay")

    assert "Your match, analysed" in page
    decisions = ada.client.get(f"/play/{code}/replay/analysis.json").get_json()["decisions"]
    assert {one["seat"] for one in decisions} == {seat}
    assert ada.client.get(f"/play/{code}/replay/frames.json").get_json()["steps"]
    assert ada.client.get(f"/play/{code}/replay/moves/0.json").get_json()["moves"]
    for part in ("replay", "replay/frames.json", "replay/moves/0.json", "replay/analysis.json"):
        Person(app).visit(f"/play/{code}/{part}", 404)
