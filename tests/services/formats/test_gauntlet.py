"""Gauntlets, in which one bot meets each of the others."""

import pytest
from sqlalchemy import select

from arena.db.models import Table, TableSeat
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.plans import Plan
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages as tournament_pages
from tests import factories

VARIANT = "suitability-2"


def gauntlet(challenger: int, rounds: int = 1) -> Plan:
    """Return the plan of a gauntlet for two players."""
    return Plan("gauntlet", VARIANT, "gauntlet", {"rounds": rounds, "challenger": challenger})


def tables(arena: Arena, tournament: int) -> list[set[int]]:
    """Return the versions at each table, in table order."""
    query = (
        select(Table.number, TableSeat.version_id)
        .join(TableSeat, TableSeat.table_id == Table.id)
        .where(Table.tournament_id == tournament)
    )
    with arena.reading() as session:
        found = session.execute(query.order_by(Table.number)).all()
    return [{version for number, version in found if number == table} for table in sorted({row[0] for row in found})]


def test_challenger_meets_each_of_the_others(arena: Arena, admin: Account) -> None:
    """Unrated bots are seeded by age, so the second one is the second seed; it sits at every table."""
    versions = factories.field_of(arena, admin, 5)
    cup = tournaments.create(arena, admin, gauntlet(challenger=2, rounds=2), start=True)

    met = tables(arena, cup)
    assert len(met) == 8
    assert all(versions[1] in table for table in met)
    assert [sum(other in table for table in met) for other in versions] == [2, 8, 2, 2, 2]

    factories.play_all(arena, factories.table_ids(arena, cup))
    page = tournament_pages.page(arena, cup)
    assert page.row.state == "finished"
    assert {row.tables for row in page.standings} == {2, 8}


def test_challenger_must_be_in_the_field(arena: Arena, admin: Account) -> None:
    """The preview and the start name the allowed range."""
    factories.field_of(arena, admin, 4)
    plan = gauntlet(challenger=5)

    assert tournaments.preview(arena, plan).problem == "The challenger must be 1 to 4 (place by rating), not 5."
    with pytest.raises(Refused, match="1 to 4"):
        tournaments.create(arena, admin, plan, start=True)


def test_preview_of_a_gauntlet(arena: Arena, admin: Account) -> None:
    """A gauntlet has one table per round for each other bot; the number of tables per bot is not constant."""
    factories.field_of(arena, admin, 4)
    preview = tournaments.preview(arena, gauntlet(challenger=1, rounds=3))

    assert (preview.tables, preview.per_bot, preview.problem) == (9, None, None)
