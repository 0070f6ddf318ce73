"""A table of every variant, from entries to ratings, and tables of the solitaire variant."""

import pytest
from sqlalchemy import select

from arena.db.models import Match, MatchSeat, TableSeat
from arena.games.errors import Refused
from arena.games.registry import VARIANTS, rules_of
from arena.match.record import pack, unpack
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.formats.costs import cost
from arena.services.formats.plans import Plan
from arena.services.integrity import fsck
from arena.services.ratings import audit
from arena.services.tables import matches
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages as tournament_pages
from arena.tournament.tables import success
from tests import factories

SOLITAIRE = "suits-barnhart-solitaire"


@pytest.mark.parametrize("variant", VARIANTS)
def test_table_of_every_variant_is_played_and_rated(arena: Arena, admin: Account, variant: str) -> None:
    """Each table has a place per team and a match per seating, its points add up, and the database is consistent."""
    places = max(2, len(rules_of(variant).teams))
    for number in range(places):
        factories.bot(arena, admin, f"bot-{number}", factories.CHANCE)
    cup = tournaments.create(arena, admin, Plan("cup", variant, boards=1), start=True)

    assert factories.play_all(arena, factories.table_ids(arena, cup)) == ["done"]

    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.boards) == ("finished", 1)
    [table] = page.tables
    assert len(table.matches) == places
    comparisons = 1 if variant == SOLITAIRE else places
    assert sum(row.points for row in page.standings) == comparisons * places * (places - 1) / 2
    assert sum(row.share or 0 for row in page.standings) == pytest.approx(places / 2)
    rated = factories.leaderboard(arena, variant)
    assert [(row.tables, row.matches) for row in rated] == [(1, comparisons)] * places
    assert fsck.check(arena) == []


def test_solitaire_table_seats_every_entry_once_per_round(arena: Arena, admin: Account) -> None:
    """Each bot plays each set of boards once, and the table ranks all of them together."""
    versions = factories.field_of(arena, admin, 5)
    cup = factories.tournament(arena, admin, versions, SOLITAIRE, rounds=2, boards=3)
    ids = factories.table_ids(arena, cup)
    assert factories.play_all(arena, ids) == ["done", "done"]

    with arena.reading() as session:
        first = session.scalars(select(Match).where(Match.table_id == ids[0]).order_by(Match.seating)).all()
        records = [unpack(match.record) for match in first]
        seats = session.scalars(select(MatchSeat).where(MatchSeat.match_id.in_([match.id for match in first]))).all()
        places = session.scalars(select(TableSeat).where(TableSeat.table_id == ids[0]).order_by(TableSeat.position))
        stored = [(place.version_id, place.half_points, place.rank) for place in places]
    assert sorted(seat.version_id for seat in seats) == sorted(3 * versions)
    assert [len({str(record["boards"][0]) for record in records[start : start + 5]}) for start in (0, 5, 10)] == [1] * 3
    reached = [success(records[place::5]) for place in range(5)]
    ranks = [1 + sum(other > mine for other in reached) for mine in reached]
    points = [sum(2 * (mine > other) + (mine == other) for other in reached) - 1 for mine in reached]
    assert stored == list(zip(versions, points, ranks, strict=True))
    assert fsck.check(arena) == []


def test_solitaire_pages_show_matches_on_the_same_boards(arena: Arena, admin: Account) -> None:
    """Standings count one comparison per table, and a match's page lists the other bots' matches on its boards."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 3), SOLITAIRE, boards=2)
    factories.play_all(arena, factories.table_ids(arena, cup))

    page = tournament_pages.page(arena, cup)
    assert sum(row.points for row in page.standings) == 3
    assert max(row.share or 0 for row in page.standings) <= 1
    [table] = page.tables
    assert len(table.matches) == 6
    page_of_match = matches.match_page(arena, table.matches[0], None)
    assert page_of_match.sets == (table.matches[:3], table.matches[3:])
    assert page_of_match.solitaire is not None
    assert page_of_match.solitaire.result in ("win", "draw", "loss")
    assert len(page_of_match.solitaire.dummies) == 3
    assert {row.matches for row in factories.leaderboard(arena, SOLITAIRE)} == {2}


def test_solitaire_needs_two_bots_and_limits_its_matches(arena: Arena, admin: Account) -> None:
    """The preview counts one table per round and a match for each bot and set of boards, up to a limit."""
    factories.bot(arena, admin, "alone")
    with pytest.raises(Refused, match="at least 2 bots; 1 can be entered"):
        tournaments.create(arena, admin, Plan("cup", SOLITAIRE), start=True)

    factories.field_of(arena, admin, 24)
    usual = VARIANTS[SOLITAIRE].boards
    shown = tournaments.preview(arena, Plan("cup", SOLITAIRE, shape={"rounds": 3}))
    assert (shown.bots, shown.tables, shown.matches, shown.per_bot, shown.meetings) == (25, 3, 75 * usual, 3, 3)
    problem = tournaments.preview(arena, Plan("cup", SOLITAIRE, boards=100)).problem
    assert problem == "A table would have 2,500 matches; 2,000 are allowed. Choose fewer sets of boards or seatings."
    problem = cost(Plan("cup", SOLITAIRE), 41).problem
    assert problem == "A table seats at most 40 bots; 41 would be entered. Choose some of them."


def test_wrong_result_of_a_solitaire_is_found(arena: Arena, admin: Account) -> None:
    """Both `fsck` and the audit of ratings find it from the records."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 2), SOLITAIRE)
    factories.play_all(arena, factories.table_ids(arena, cup))
    with arena.transaction() as session:
        one, two = session.scalars(select(Match).order_by(Match.seating)).all()
        records = [unpack(one.record), unpack(two.record)]
        if success(records[:1]) > success(records[1:]):
            one, records = two, records[::-1]
        records[0] |= {"result": "win", "scores": [99]}
        one.record = pack(records[0])

    assert any("its record is wrong: scores must be" in str(found) for found in fsck.check(arena))
    assert audit.check_ratings(arena, SOLITAIRE)
