"""Tournaments: started by administrators, watched by everybody, cancelled for good."""

import pytest
from sqlalchemy import select

from arena.db.models import Attempt
from arena.games.chance import commitment
from arena.games.errors import NotFound, OptionError, Refused
from arena.games.registry import VARIANTS
from arena.services import bots, fsck, matches, queue, ratings, sweep, tournaments
from arena.services.context import PLAY, Arena, open_arena
from arena.services.home import home
from arena.services.lease import LeaseLost
from arena.services.shapes import Account, Preview
from tests import factories
from tests.services.test_play import result_of

VARIANT = "suitability-4"


def test_a_round_robin_of_all_active_bots(arena: Arena, admin: Account) -> None:
    """Every combination of four, each rung for, with a commitment to a seed that is not told."""
    factories.field_of(arena, admin, 5)
    cup = tournaments.create_round_robin(arena, admin, " Spring cup ", VARIANT)

    page = tournaments.tournament_page(arena, cup)
    assert (page.row.name, page.row.state, page.row.entries, page.row.tables_total) == ("Spring cup", "running", 5, 5)
    assert page.seed is None
    assert len(page.commitment) == 64
    assert [row.tables for row in page.standings] == [0] * 5
    assert page.tables == ()


def test_a_finished_tournament_tells_its_seed_and_its_standings(arena: Arena, admin: Account) -> None:
    """The seed is the one that was committed to; ranks follow the match points."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    factories.play_all(arena, factories.table_ids(arena, cup))

    page = tournaments.tournament_page(arena, cup)
    assert page.seed == factories.SEED.hex()
    assert commitment(bytes.fromhex(page.seed)) == page.commitment
    assert sum(row.points for row in page.standings) == 5 * 4 * 6
    assert [row.points for row in page.standings] == sorted((row.points for row in page.standings), reverse=True)
    assert page.standings[0].rank == 1
    assert len(page.tables) == 5
    assert all(len(table.matches) == 4 and len(table.places) == 4 for table in page.tables)
    assert page.matches[0].id == max(match.id for match in page.matches)


@pytest.mark.parametrize("bots_entered", [0, 1, 3])
def test_too_few_bots_are_refused_with_how_many_are_needed(arena: Arena, admin: Account, bots_entered: int) -> None:
    """Four for a table of four."""
    factories.field_of(arena, admin, bots_entered)

    with pytest.raises(Refused, match="needs at least 4 bots"):
        tournaments.create_round_robin(arena, admin, "cup", VARIANT)
    assert tournaments.tournaments(arena) == []


def test_only_administrators_start_and_cancel(arena: Arena, author: Account) -> None:
    """Others are told so."""
    with pytest.raises(Refused, match="Only an administrator"):
        tournaments.create_round_robin(arena, author, "cup", VARIANT)
    with pytest.raises(Refused, match="Only an administrator"):
        tournaments.cancel(arena, author, 1)


def test_what_cannot_be_entered_is_named(arena: Arena, admin: Account, author: Account) -> None:
    """Bots that are not there, and bots without a valid version."""
    factories.field_of(arena, admin, 4)
    ids = [row.id for row in bots.all_bots(arena)]
    pending = bots.upload(arena, author, "pending-bot", factories.FIRST)

    with pytest.raises(Refused, match="There is no bot 999"):
        tournaments.create_round_robin(arena, admin, "cup", VARIANT, [*ids, 999])
    with pytest.raises(Refused, match="pending-bot cannot"):
        tournaments.create_round_robin(arena, admin, "cup", VARIANT, [*ids, pending.bot_id])
    with pytest.raises(Refused, match="printable"):
        tournaments.create_round_robin(arena, admin, "line\nbreak", VARIANT, ids)
    with pytest.raises(OptionError, match="no variant"):
        tournaments.create_round_robin(arena, admin, "cup", "whist", ids)


def test_a_preview_says_what_a_tournament_costs(arena: Arena, admin: Account) -> None:
    """Bots, tables and matches, or why it cannot be."""
    factories.field_of(arena, admin, 10)
    assert tournaments.preview(arena, VARIANT, rounds=2) == Preview(10, 420, 1680, 1, None)
    assert tournaments.preview(arena, "suitability-4-partners", boards=3) == Preview(10, 45, 270, 3, None)

    few = [row.id for row in bots.all_bots(arena)][:3]
    for bot_ids, boards, rounds, says in (
        (few, 1, 1, "at least 4 bots; 3 can be entered"),
        ([], 1, 1, "none can be entered"),
        ([999], 1, 1, "There is no bot 999."),
        (None, 1, 1000, "tables"),
        (None, 1, 0, "Rounds must be 1 to 1000"),
        (None, 101, 1, "Sets of boards must be 1 to 100"),
        (None, 0, 1, "Sets of boards must be 1 to 100"),
    ):
        assert says in str(tournaments.preview(arena, VARIANT, bot_ids, boards, rounds).problem)


def test_a_tournament_takes_the_sets_of_boards_of_its_variant(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless it says how many."""
    factories.field_of(arena, admin, 4)
    monkeypatch.setitem(VARIANTS, VARIANT, VARIANTS[VARIANT]._replace(boards=3))

    usual = tournaments.create_round_robin(arena, admin, "cup", VARIANT)
    own = tournaments.create_round_robin(arena, admin, "cup", VARIANT, boards=2)

    assert [tournaments.tournament_page(arena, cup).boards for cup in (usual, own)] == [3, 2]
    assert tournaments.preview(arena, VARIANT) == Preview(4, 1, 12, 3, None)


def test_bots_enter_the_games_that_they_play(arena: Arena, admin: Account) -> None:
    """Of all bots those that name the game or none; who was chosen and does not play it is named."""
    factories.field_of(arena, admin, 4)
    factories.bot(arena, admin, "cardsharp", games=["suitability"])
    factories.bot(arena, admin, "stranger", games=["separate_suits"])
    factories.bot(arena, admin, "nobody", games=[])
    ids = [row.id for row in bots.all_bots(arena)]

    cup = tournaments.create_round_robin(arena, admin, "cup", VARIANT)

    assert {row.bot for row in tournaments.tournament_page(arena, cup).standings} == {
        "cardsharp", *(f"bot-{number}" for number in range(4)),
    }  # fmt: skip
    says = "Only bots that play Suitability by David Parlett can be entered; nobody, stranger cannot."
    with pytest.raises(Refused) as refused:
        tournaments.create_round_robin(arena, admin, "cup", VARIANT, ids)
    assert str(refused.value) == says
    assert tournaments.preview(arena, VARIANT, ids).problem == says


def test_a_cancelled_tournament_stops_and_keeps_what_was_played(arena: Arena, admin: Account) -> None:
    """A worker that is playing finds its claim gone; what was done stays rated."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    ids = factories.table_ids(arena, cup)
    factories.play_all(arena, ids[:2])
    claim = queue.claim(arena, ids[2], "at work")
    assert claim

    tournaments.cancel(arena, admin, cup)

    with pytest.raises(LeaseLost):
        queue.submit(arena, claim, result_of(arena, ids[2]))
    assert factories.play_all(arena, ids) == ["nothing"] * 5
    page = tournaments.tournament_page(arena, cup)
    assert (page.row.state, page.row.tables_done, page.seed) == ("cancelled", 2, factories.SEED.hex())
    with arena.reading() as session:
        outcomes = session.scalars(select(Attempt.outcome).where(Attempt.table_id == ids[2])).all()
    assert outcomes == ["cancelled"]
    sweep.tick(arena)
    assert {row.tables for row in ratings.leaderboard(arena, VARIANT)} == {1, 2}
    assert fsck.check(arena) == []
    with pytest.raises(Refused, match="cancelled: there is nothing to cancel"):
        tournaments.cancel(arena, admin, cup)


def test_doorbells_are_rung_after_the_commit_and_not_without(arena: Arena, admin: Account) -> None:
    """Who answers at once finds everything there; a transaction that fails rings nobody."""
    found: list[list[str]] = []
    eager = open_arena(
        arena.settings,
        lambda rung: found.append(factories.play_all(arena, [bell.id for bell in rung if bell.task == PLAY])),
    )
    versions = factories.field_of(arena, admin, 4)

    factories.tournament(eager, admin, versions)
    assert found == [["done"]]

    with pytest.raises(Refused):
        factories.tournament(eager, admin, versions[:3])
    assert len(found) == 1


def test_home_and_match_pages_show_what_was_played(arena: Arena, admin: Account) -> None:
    """Counts, lists, a record that is the one stored, and a replay of it."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    factories.play_all(arena, factories.table_ids(arena, cup))

    first = home(arena)
    assert (first.counts.bots, first.counts.users, first.counts.matches, first.counts.waiting) == (4, 1, 4, 0)
    assert [row.id for row in first.tournaments] == [cup]
    assert [(variant, len(rows)) for variant, rows in first.leaders.items()] == [("suitability-4", 4)]

    shown = first.matches[0]
    page = matches.match_page(arena, shown.id, None)
    assert page.row == shown
    assert page.sets == (tuple(sorted(match.id for match in first.matches)),)
    assert [seat.output for seat in page.seats] == [""] * 4
    assert all("printed" in seat.output for seat in matches.match_page(arena, shown.id, admin).seats)
    assert matches.record_bytes(arena, shown.id).startswith(b'{"format":"arena-record/1"')
    assert matches.replay_of(arena, shown.id)["steps"]
    with pytest.raises(NotFound, match="no match 999"):
        matches.match_page(arena, 999, None)
    with pytest.raises(NotFound, match="no tournament 999"):
        tournaments.tournament_page(arena, 999)


def test_a_match_leads_to_the_other_seatings_of_its_own_deals(arena: Arena, admin: Account) -> None:
    """A table of two sets of boards plays each under both seatings of the partners."""
    versions = factories.field_of(arena, admin, 2)
    cup = factories.tournament(arena, admin, versions, "suitability-4-partners", boards=2)
    factories.play_all(arena, factories.table_ids(arena, cup))

    one, two = matches.match_page(arena, home(arena).matches[0].id, None).sets
    deals = [matches.replay_of(arena, match)["steps"][0] for match in (*one, *two)]
    assert deals[0] == deals[1] != deals[2] == deals[3]
