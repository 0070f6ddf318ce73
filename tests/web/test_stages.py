"""Tournaments that were played: brackets, rounds, who is out, and what was played again."""

import re
from collections.abc import Callable

import pytest

from arena.db.models import Tournament, User
from arena.services.context import Arena
from arena.services.plans import Plan
from arena.services.shapes import Account
from arena.services.tournaments import create
from tests import factories
from tests.web.conftest import Person, words


@pytest.fixture
def organiser(arena: Arena) -> Account:
    """Who makes the tournaments."""
    return factories.user(arena, "organiser", admin=True)


def account_of(arena: Arena, person: Person) -> Account:
    """A person as the services know them."""
    with arena.reading() as session:
        return Account(session.query(User).filter_by(name=person.name).one().id, person.name, is_admin=False)


def played(arena: Arena, organiser: Account, format: str, **shape: int) -> int:
    """A tournament at tables of two, played to its end by three bots."""
    factories.field_of(arena, organiser, 3)
    number = create(arena, organiser, Plan("Cup", "suitability-2", format, shape), start=True)
    while waiting := factories.table_ids(arena, number)[done_of(arena, number) :]:
        factories.play_all(arena, waiting)
    return number


def done_of(arena: Arena, number: int) -> int:
    """How many of its tables are done: they are played by number."""
    with arena.reading() as session:
        return int(session.query(Tournament).filter_by(id=number).one().tables_done)


def test_a_knockout_is_shown_as_a_bracket(arena: Arena, organiser: Account, visitor: Person) -> None:
    """Stage by stage: who goes on, who had no table, and who wins."""
    page = visitor.visit(f"/tournaments/{played(arena, organiser, 'knockout', advance=1)}")
    bracket = words(page.split('class="bracket"')[1].split("</div>")[0])

    assert re.search(r"Table 1 bot-\d goes on", bracket)
    assert re.search(r"Without a table bot-\d goes on", bracket)
    assert re.search(r"Final 1 table Table 2 bot-\d wins", bracket)


def test_a_swiss_tournament_is_shown_round_by_round(arena: Arena, organiser: Account, visitor: Person) -> None:
    """The latest first, with who sat out; the standings count how often."""
    page = visitor.visit(f"/tournaments/{played(arena, organiser, 'swiss', rounds=2)}")
    said = words(page)

    assert said.index("Round 2 1 table") < said.index("Round 1 1 table")
    assert len(re.findall(r"bot-\d sat out", said)) == 2
    assert "Sat out" in said
    assert "1 table of 2" in words(visitor.visit(f"{re.findall('/tournaments/[0-9]+', page)[0]}/tables?stage=2"))


def test_a_table_that_is_played_again_keeps_its_earlier_result(
    arena: Arena, organiser: Account, ada: Person, promote: Callable[[Person], Person]
) -> None:
    """The tournament's page says why, the table shows both results, and the earlier matches say that they are over."""
    cup = factories.tournament(arena, organiser, factories.field_of(arena, organiser, 2), "suitability-2")
    [table] = factories.table_ids(arena, cup)
    factories.play_all(arena, [table])

    page = promote(ada).send(f"/tournaments/{cup}/rejudge", table=1, version=0, reason="The <clock> was wrong.")
    factories.play_all(arena, [table])
    both = ada.visit(f"/tables/{table}")
    matches = re.findall(r'href="(/matches/\d+)"', both)

    assert "Table 1: The <clock> was wrong. 1 table, by ada" in words(page)
    assert "0 of 1 tables" in words(page)
    assert "Played again: The <clock> was wrong." in words(both)
    assert "Earlier result, of attempt 1" in words(both)
    assert len(matches) == 4
    assert ["This match counts no more" in ada.visit(match) for match in matches] == [False, False, True, True]


def test_an_author_withdraws_a_bot_from_a_tournament(
    arena: Arena, organiser: Account, ada: Person, bob: Person
) -> None:
    """Their own alone; nobody else is offered anything, and the organiser is told."""
    mine = factories.bot(arena, account_of(arena, ada), "ducker")
    cup = factories.tournament(arena, organiser, [*factories.field_of(arena, organiser, 2), mine], "suitability-2")
    form = ada.visit(f"/tournaments/{cup}/withdraw")

    assert re.findall(r'<option value="(\d+)">', form.replace(" selected", "")) == [str(mine)]
    bob.visit(f"/tournaments/{cup}/withdraw", 403)
    page = words(ada.send(f"/tournaments/{cup}/withdraw", version=mine, reason="It is ill."))
    assert "ducker v1 was withdrawn" in page
    assert "2 tables were cancelled" in page
    assert "/withdraw" not in ada.visit(f"/tournaments/{cup}")
