"""Programs read lists of matches, tables and tournaments to the end, part by part."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from sqlalchemy import select

from arena.db.models import Match, Table, Version
from arena.games.errors import NotFound
from arena.services.base.context import Arena
from arena.services.bots import pages as bot_pages
from arena.services.tables import lists
from arena.services.tables.lists import LATEST, Part, Position
from arena.services.tables.matches import NEWEST
from arena.services.tournaments import pages
from tests import factories
from tests.cages import LocalCage

VARIANT = "suitability-4"
DUEL = "suitability-2"


class Played(NamedTuple):
    """An arena with two tournaments."""

    arena: Arena
    versions: list[int]
    cup: int
    duel: int
    matches: list[int]
    """IDs of all matches."""


@pytest.fixture
def played(arena: Arena) -> Played:
    """A cup of five bots with four to a table, then a duel of two of them."""
    owner = factories.user(arena, "ada")
    versions = factories.field_of(arena, owner, 5)
    cup = factories.tournament(arena, owner, versions)
    duel = factories.tournament(arena, owner, versions[:2], DUEL)
    for one in (cup, duel):
        factories.play_all(arena, factories.table_ids(arena, one), LocalCage())
    with arena.reading() as session:
        return Played(arena, versions, cup, duel, list(session.scalars(select(Match.id).order_by(Match.id))))


def walked(read: Callable[[Position], Part]) -> list[int]:
    """Return the IDs of all matches of a list that is read to its end."""
    found, at = [], LATEST
    while True:
        part = read(at)
        found += [row.id for row in part.rows]
        if part.next is None:
            return found
        at = part.next


def test_all_matches_are_read_once_the_latest_first(played: Played) -> None:
    """Parts follow each other without gaps or repetitions."""
    found = walked(lambda at: lists.of_all(played.arena, at, 3))

    assert found == sorted(played.matches, reverse=True)


def test_matches_of_a_variant_are_found_behind_others(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part considers a bounded number of matches, and the next one goes on there."""
    monkeypatch.setattr(lists, "WINDOW", 2)

    found = walked(lambda at: lists.of_all(played.arena, at, 5, VARIANT))

    assert found == sorted(set(played.matches) - set(_of(played.arena, played.duel)), reverse=True)


def test_matches_of_a_bot_are_those_of_all_its_versions(played: Played) -> None:
    """The bot of a version that played both tournaments has matches of both, or of one variant."""
    with played.arena.reading() as session:
        bot = session.get_one(Version, played.versions[0]).bot_id

    both = walked(lambda at: lists.of_bot(played.arena, bot, at, 4))

    assert set(both) > set(_of(played.arena, played.duel))
    assert (
        walked(lambda at: lists.of_bot(played.arena, bot, at, 4, DUEL)) == both[: len(_of(played.arena, played.duel))]
    )


def test_matches_of_a_tournament_follow_its_tables(played: Played) -> None:
    """The latest table comes first."""
    found = walked(lambda at: lists.of_tournament(played.arena, played.cup, at, 3))

    assert sorted(found) == sorted(_of(played.arena, played.cup))
    with played.arena.reading() as session:
        numbers = select(Table.number).join(Match, Match.table_id == Table.id)
        tables = [session.scalars(numbers.where(Match.id == one)).one() for one in found]
    assert tables == sorted(tables, reverse=True)


def test_lists_of_what_does_not_exist_are_refused(arena: Arena) -> None:
    """There is no list of matches of an unknown bot or tournament."""
    with pytest.raises(NotFound, match="There is no bot 7"):
        lists.of_bot(arena, 7, LATEST, 1)
    with pytest.raises(NotFound, match="There is no tournament 7"):
        lists.of_tournament(arena, 7, LATEST, 1)


def test_tournaments_are_listed_before_an_id(played: Played) -> None:
    """Filters are a kind, a part of the name, a state and a variant."""

    def found(**filters: str) -> list[int]:
        return [row.id for row in pages.listed_before(played.arena, NEWEST, 10, **filters)]

    assert found() == [played.duel, played.cup]
    assert [row.id for row in pages.listed_before(played.arena, played.duel, 10)] == [played.cup]
    assert found(kind=pages.CUPS, search=" CUP ", state="finished") == [played.duel, played.cup]
    assert found(kind=pages.LADDERS) == found(state="running") == found(search="none") == []
    assert found(variant=DUEL) == [played.duel]


def test_tables_are_listed_after_a_number(played: Played) -> None:
    """Filters are a version, a state and a stage."""
    every = pages.tables_after(played.arena, played.cup, -1, 100)

    assert [row.number for row in pages.tables_after(played.arena, played.cup, 1, 2)] == [2, 3]
    mine = pages.tables_after(played.arena, played.cup, -1, 100, version_id=played.versions[0], state="done", stage=0)
    assert [row.number for row in mine] == [
        row.number for row in every if played.versions[0] in {place.version_id for place in row.places}
    ]


def test_version_shows_its_report_to_its_team_alone(played: Played) -> None:
    """A version has the row of its bot's page."""
    row = bot_pages.version_row(played.arena, played.versions[0], None)

    assert (row.number, row.active, row.report, row.files) == (1, True, None, None)


def _of(arena: Arena, tournament_id: int) -> list[int]:
    """Return the IDs of a tournament's matches."""
    with arena.reading() as session:
        here = select(Match.id).join(Match.table).where(Table.tournament_id == tournament_id)
        return list(session.scalars(here))
