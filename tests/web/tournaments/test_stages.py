"""Played tournaments: brackets, rounds, withdrawals and replayed tables."""

import re
from collections.abc import Callable

import pytest

from arena.db.models import Tournament, User
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.plans import Plan
from arena.services.tournaments.actions import create
from tests import factories
from tests.web.conftest import Person, words


@pytest.fixture
def organiser(arena: Arena) -> Account:
    """An admin who creates the tournaments."""
    return factories.user(arena, "organiser", admin=True)


def account_of(arena: Arena, person: Person) -> Account:
    """Return the account of a person."""
    with arena.reading() as session:
        return Account(session.query(User).filter_by(name=person.name).one().id, person.name, is_admin=False)


def played(arena: Arena, organiser: Account, format: str, **shape: int) -> int:
    """Play a tournament of three bots at tables of two, and return its id."""
    factories.field_of(arena, organiser, 3)
    number = create(arena, organiser, Plan("Cup", "suitability-2", format, shape), start=True)
    while waiting := factories.table_ids(arena, number)[done_of(arena, number) :]:
        factories.play_all(arena, waiting)
    return number


def done_of(arena: Arena, number: int) -> int:
    """Return the number of tables done."""
    with arena.reading() as session:
        return int(session.query(Tournament).filter_by(id=number).one().tables_done)


def test_knockout_is_shown_as_a_bracket(arena: Arena, organiser: Account, visitor: Person) -> None:
    """Stages show which bots advance, which had a bye, and the winner."""
    page = visitor.visit(f"/tournaments/{played(arena, organiser, 'knockout', advance=1)}")
    bracket = words(page.split('class="bracket"')[1].split("</div>")[0])

    assert re.search(r"Table 1 (bot-\d v1 \d )?bot-\d v1 advances", bracket)
    assert re.search(r"Bye bot-\d v1 advances", bracket)
    assert re.search(r"Final 1 table Table 2 bot-\d v1 wins", bracket)


def test_swiss_tournament_is_shown_by_round(arena: Arena, organiser: Account, visitor: Person) -> None:
    """Rounds are listed latest first with the bots that sat out, and the standings count these."""
    page = visitor.visit(f"/tournaments/{played(arena, organiser, 'swiss', rounds=2)}")
    said = words(page)

    assert said.index("Round 2 1 table") < said.index("Round 1 1 table")
    assert len(re.findall(r"bot-\d v1 sat out", said)) == 2
    assert "Sat out" in said
    assert "1 table of 2" in words(visitor.visit(f"{re.findall('/tournaments/[0-9]+', page)[0]}/tables?stage=2"))


def test_replayed_table_keeps_its_earlier_result(
    arena: Arena, organiser: Account, ada: Person, promote: Callable[[Person], Person]
) -> None:
    """The reason is shown, the table shows both results, and earlier matches are marked."""
    cup = factories.tournament(arena, organiser, factories.field_of(arena, organiser, 2), "suitability-2")
    [table] = factories.table_ids(arena, cup)
    factories.play_all(arena, [table])

    page = promote(ada).send(f"/tournaments/{cup}/rejudge", table=1, version=0, reason="The <clock> was wrong.")
    factories.play_all(arena, [table])
    both = ada.visit(f"/tables/{table}")
    matches = re.findall(r'href="(/matches/\d+)"', both)

    assert "Table 1: The <clock> was wrong. 1 table, by ada" in words(page)
    assert "0 of 1 table" in words(page)
    assert "Replayed: The <clock> was wrong." in words(both)
    assert "Earlier result, attempt 1" in words(both)
    assert len(matches) == 4
    assert ["This match no longer counts" in ada.visit(match) for match in matches] == [False, False, True, True]


def test_author_withdraws_a_bot(arena: Arena, organiser: Account, ada: Person, bob: Person) -> None:
    """Authors can withdraw only their own bots; other members get 403."""
    mine = factories.bot(arena, account_of(arena, ada), "ducker")
    cup = factories.tournament(arena, organiser, [*factories.field_of(arena, organiser, 2), mine], "suitability-2")
    form = ada.visit(f"/tournaments/{cup}/withdraw")

    assert re.findall(r'<option value="(\d+)">', form.replace(" selected", "")) == [str(mine)]
    bob.visit(f"/tournaments/{cup}/withdraw", 403)
    page = words(ada.send(f"/tournaments/{cup}/withdraw", version=mine, reason="It is ill."))
    assert "ducker v1 was withdrawn" in page
    assert "2 tables were cancelled" in page
    assert "/withdraw" not in ada.visit(f"/tournaments/{cup}")
