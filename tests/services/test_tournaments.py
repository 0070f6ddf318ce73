"""Tournaments: started by administrators, watched by everybody, cancelled for good."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from arena.db.models import Attempt
from arena.games.chance import commitment
from arena.games.errors import NotFound, OptionError, Refused
from arena.games.registry import VARIANTS
from arena.services import bots, fsck, matches, queue, ratings, sweep, tournament_pages, tournaments
from arena.services.context import PLAY, Arena, open_arena
from arena.services.home import home
from arena.services.lease import LeaseLost
from arena.services.plans import Plan
from arena.services.shapes import Account, Preview, StageCost
from tests import factories
from tests.services.test_play import result_of

VARIANT = "suitability-4"
CUP = Plan("cup", VARIANT)


def only(*bot_ids: int) -> Plan:
    """A cup of these bots."""
    return replace(CUP, entry_rule="chosen", chosen=bot_ids)


def test_a_round_robin_of_all_active_bots(arena: Arena, admin: Account) -> None:
    """Every combination of four, each rung for, with a commitment to a seed that is not told."""
    factories.field_of(arena, admin, 5)
    cup = tournaments.create(arena, admin, Plan(" Spring cup ", VARIANT), start=True)

    page = tournament_pages.page(arena, cup)
    assert (page.row.name, page.row.state, page.row.entries, page.row.tables_total) == ("Spring cup", "running", 5, 5)
    assert page.seed is None
    assert len(page.commitment) == 64
    assert [row.tables for row in page.standings] == [0] * 5
    assert page.tables == ()


def test_a_finished_tournament_tells_its_seed_and_its_standings(arena: Arena, admin: Account) -> None:
    """The seed is the one that was committed to; ranks follow the match points."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    factories.play_all(arena, factories.table_ids(arena, cup))

    page = tournament_pages.page(arena, cup)
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
        tournaments.create(arena, admin, CUP, start=True)
    assert tournament_pages.latest(arena) == []


def test_only_administrators_start_and_cancel(arena: Arena, admin: Account, author: Account) -> None:
    """Others are told so."""
    cup = tournaments.create(arena, admin, CUP, start=False)

    with pytest.raises(Refused, match="Only an administrator"):
        tournaments.create(arena, author, CUP, start=True)
    for verb in (tournaments.start, tournaments.pause, tournaments.resume, tournaments.delete):
        with pytest.raises(Refused, match="Only an administrator"):
            verb(arena, author, cup)
    with pytest.raises(Refused, match="Only an administrator"):
        tournaments.change(arena, author, cup, CUP)
    with pytest.raises(Refused, match="draft: there is nothing to cancel"):
        tournaments.cancel(arena, author, cup)


def test_what_cannot_be_entered_is_named(arena: Arena, admin: Account, author: Account) -> None:
    """Bots that are not there, and bots without a valid version."""
    factories.field_of(arena, admin, 4)
    ids = [row.id for row in bots.all_bots(arena)]
    pending = bots.upload(arena, author, "pending-bot", factories.FIRST)

    with pytest.raises(Refused, match="There is no bot 999"):
        tournaments.create(arena, admin, only(*ids, 999), start=True)
    with pytest.raises(Refused, match="pending-bot cannot"):
        tournaments.create(arena, admin, only(*ids, pending.bot_id), start=True)
    with pytest.raises(Refused, match="printable"):
        tournaments.create(arena, admin, Plan("line\nbreak", VARIANT), start=True)
    with pytest.raises(OptionError, match="no variant"):
        tournaments.create(arena, admin, Plan("cup", "whist"), start=True)


def test_a_preview_says_what_a_tournament_costs(arena: Arena, admin: Account) -> None:
    """Bots, tables and matches, or why it cannot be."""
    factories.field_of(arena, admin, 10)
    stages = (StageCost(420, 0),)
    assert tournaments.preview(arena, Plan("cup", VARIANT, shape={"rounds": 2})) == Preview(
        10, 420, 1680, 1, None, stages, per_bot=168, meetings=56
    )
    partners = tournaments.preview(arena, Plan("cup", "suitability-4-partners", boards=3))
    assert (partners.tables, partners.matches, partners.boards, partners.per_bot) == (45, 270, 3, 9)

    few = [row.id for row in bots.all_bots(arena)][:3]
    for plan, says in (
        (only(*few), "at least 4 bots; 3 can be entered"),
        (only(), "Choose the bots"),
        (only(999), "There is no bot 999."),
        (replace(CUP, shape={"rounds": 1000}), "That would be 210,000 tables; 100,000 are allowed"),
        (replace(CUP, shape={"rounds": 0}), "Rounds must be 1 to 1,000"),
        (replace(CUP, shape={}), "needs rounds"),
        (replace(CUP, boards=101), "Sets of boards must be 1 to 100"),
        (replace(CUP, boards=0), "Sets of boards must be 1 to 100"),
        (replace(CUP, seatings="all", boards=100), "A table would have 2,400 matches"),
        (replace(CUP, format="whist"), "There is no format"),
        (replace(CUP, seatings="whist"), "There are no seatings"),
        (replace(CUP, entry_rule="whist"), "There is no entry rule"),
        (replace(CUP, fault_cap=-1), "The cap on faults must be 0 to"),
    ):
        assert says in str(tournaments.preview(arena, plan).problem)


def test_a_tournament_takes_the_sets_of_boards_of_its_variant(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless it says how many."""
    factories.field_of(arena, admin, 4)
    monkeypatch.setitem(VARIANTS, VARIANT, VARIANTS[VARIANT]._replace(boards=3))

    usual = tournaments.create(arena, admin, CUP, start=True)
    own = tournaments.create(arena, admin, Plan("cup", VARIANT, boards=2), start=True)

    assert [tournament_pages.page(arena, cup).boards for cup in (usual, own)] == [3, 2]
    assert tournaments.preview(arena, CUP).matches == 12


def test_bots_enter_the_games_that_they_play(arena: Arena, admin: Account) -> None:
    """Of all bots those that name the game or none; who was chosen and does not play it is named."""
    factories.field_of(arena, admin, 4)
    factories.bot(arena, admin, "cardsharp", games=["suitability"])
    factories.bot(arena, admin, "stranger", games=["separate_suits"])
    factories.bot(arena, admin, "nobody", games=[])
    ids = [row.id for row in bots.all_bots(arena)]

    cup = tournaments.create(arena, admin, CUP, start=True)

    assert {row.bot for row in tournament_pages.page(arena, cup).standings} == {
        "cardsharp", *(f"bot-{number}" for number in range(4)),
    }  # fmt: skip
    says = "Only bots that play Suitability by David Parlett can be entered; nobody, stranger cannot."
    with pytest.raises(Refused) as refused:
        tournaments.create(arena, admin, only(*ids), start=True)
    assert str(refused.value) == says
    assert tournaments.preview(arena, only(*ids)).problem == says


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
    page = tournament_pages.page(arena, cup)
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
        tournament_pages.page(arena, 999)


def test_a_match_leads_to_the_other_seatings_of_its_own_deals(arena: Arena, admin: Account) -> None:
    """A table of two sets of boards plays each under both seatings of the partners."""
    versions = factories.field_of(arena, admin, 2)
    cup = factories.tournament(arena, admin, versions, "suitability-4-partners", boards=2)
    factories.play_all(arena, factories.table_ids(arena, cup))

    one, two = matches.match_page(arena, home(arena).matches[0].id, None).sets
    deals = [matches.replay_of(arena, match)["steps"][0] for match in (*one, *two)]
    assert deals[0] == deals[1] != deals[2] == deals[3]
