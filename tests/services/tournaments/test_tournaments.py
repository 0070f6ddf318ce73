"""Tournaments: creating, previewing and cancelling them, and the pages that show them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from arena.db.models import Attempt, Tournament
from arena.games.chance import commitment
from arena.games.errors import NotFound, OptionError, Refused
from arena.games.registry import VARIANTS
from arena.services.base.access import Account
from arena.services.base.context import PLAY, Arena, Doorbell, open_arena
from arena.services.bots import actions as bots
from arena.services.formats.plans import Plan
from arena.services.formats.views import Preview
from arena.services.integrity import fsck
from arena.services.numbers.home import home
from arena.services.queue import claims
from arena.services.queue.leases import LeaseLost
from arena.services.tables import matches
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages as tournament_pages
from arena.services.work import sweep
from arena.tournament.formats.base import StageSize
from tests import factories
from tests.services.work.test_play import result_of

VARIANT = "suitability-4"
CUP = Plan("cup", VARIANT)


def cup_of(*bot_ids: int) -> Plan:
    """Return the plan of a cup with these bots."""
    return replace(CUP, entry_rule="chosen", chosen=bot_ids)


def test_round_robin_enters_all_active_bots(arena: Arena, admin: Account) -> None:
    """Each combination of four bots is a table; the page shows the commitment but not the seed."""
    factories.field_of(arena, admin, 5)
    cup = tournaments.create(arena, admin, Plan(" Spring cup ", VARIANT), start=True)

    page = tournament_pages.page(arena, cup)
    assert (page.row.name, page.row.state, page.row.entries, page.row.tables_total) == ("Spring cup", "running", 5, 5)
    assert page.seed is None
    assert len(page.commitment) == 64
    assert [row.tables for row in page.standings] == [0] * 5
    assert page.tables == ()


def test_finished_tournament_shows_its_seed_and_standings(arena: Arena, admin: Account) -> None:
    """The seed matches the commitment, and ranks follow match points."""
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
def test_too_few_bots_are_refused_with_the_number_needed(arena: Arena, admin: Account, bots_entered: int) -> None:
    """A table of four needs four bots."""
    factories.field_of(arena, admin, bots_entered)

    with pytest.raises(Refused, match="needs at least 4 bots"):
        tournaments.create(arena, admin, CUP, start=True)
    assert tournament_pages.latest(arena) == []


def test_only_administrators_manage_tournaments(arena: Arena, admin: Account, author: Account) -> None:
    """Other users are refused with this reason."""
    cup = tournaments.create(arena, admin, CUP, start=False)

    with pytest.raises(Refused, match="Only an organiser"):
        tournaments.create(arena, author, CUP, start=True)
    for verb in (tournaments.start, tournaments.pause, tournaments.resume, tournaments.delete):
        with pytest.raises(Refused, match="Only an organiser"):
            verb(arena, author, cup)
    with pytest.raises(Refused, match="Only an organiser"):
        tournaments.change(arena, author, cup, CUP)
    with pytest.raises(Refused, match="Cannot cancel: the tournament is a draft"):
        tournaments.cancel(arena, author, cup)


def test_bots_that_cannot_be_entered_are_named(arena: Arena, admin: Account, author: Account) -> None:
    """The message names missing bots, bots without a valid version, and invalid names and variants."""
    factories.field_of(arena, admin, 4)
    ids = [row.id for row in factories.bots(arena)]
    pending = bots.upload(arena, author, "pending-bot", factories.FIRST)

    with pytest.raises(Refused, match="There is no bot 999"):
        tournaments.create(arena, admin, cup_of(*ids, 999), start=True)
    with pytest.raises(Refused, match="pending-bot cannot"):
        tournaments.create(arena, admin, cup_of(*ids, pending.bot_id), start=True)
    with pytest.raises(Refused, match="printable"):
        tournaments.create(arena, admin, Plan("line\nbreak", VARIANT), start=True)
    with pytest.raises(OptionError, match="no variant"):
        tournaments.create(arena, admin, Plan("cup", "whist"), start=True)


def test_preview_shows_the_cost_of_a_tournament(arena: Arena, admin: Account) -> None:
    """A preview has the numbers of bots, tables and matches, or the reason why the plan is impossible."""
    factories.field_of(arena, admin, 10)
    stages = (StageSize(420, 0),)
    assert tournaments.preview(arena, Plan("cup", VARIANT, shape={"rounds": 2})) == Preview(
        10, 420, 1680, 1, None, stages, per_bot=168, meetings=56
    )
    partners = tournaments.preview(arena, Plan("cup", "suitability-4-partners", boards=3))
    assert (partners.tables, partners.matches, partners.boards, partners.per_bot) == (45, 270, 3, 9)

    few = [row.id for row in factories.bots(arena)][:3]
    for plan, says in (
        (cup_of(*few), "at least 4 bots; 3 can be entered"),
        (cup_of(), "Choose the bots"),
        (cup_of(999), "There is no bot 999."),
        (replace(CUP, shape={"rounds": 1000}), "The plan has 210,000 tables; 100,000 are allowed"),
        (replace(CUP, shape={"rounds": 0}), "Rounds must be 1 to 1,000"),
        (replace(CUP, shape={}), "needs rounds"),
        (replace(CUP, boards=101), "Sets of boards must be 1 to 100"),
        (replace(CUP, boards=0), "Sets of boards must be 1 to 100"),
        (replace(CUP, seatings="all", boards=100), "A table would have 2,400 matches"),
        (replace(CUP, format="whist"), "There is no format"),
        (replace(CUP, seatings="whist"), "There is no seating mode"),
        (replace(CUP, entry_rule="whist"), "There is no entry rule"),
        (replace(CUP, fault_cap=-1), "The fault cap must be 0 to"),
    ):
        assert says in str(tournaments.preview(arena, plan).problem)


def test_default_number_of_sets_is_that_of_the_variant(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan can set another number of sets."""
    factories.field_of(arena, admin, 4)
    monkeypatch.setitem(VARIANTS, VARIANT, VARIANTS[VARIANT]._replace(boards=3))

    usual = tournaments.create(arena, admin, CUP, start=True)
    own = tournaments.create(arena, admin, Plan("cup", VARIANT, boards=2), start=True)

    assert [tournament_pages.page(arena, cup).boards for cup in (usual, own)] == [3, 2]
    assert tournaments.preview(arena, CUP).matches == 12


def test_bots_enter_only_games_that_they_play(arena: Arena, admin: Account) -> None:
    """Bots that declare the game or no games are entered; chosen bots that do not play it are named in the message."""
    factories.field_of(arena, admin, 4)
    factories.bot(arena, admin, "cardsharp", games=["suitability"])
    factories.bot(arena, admin, "stranger", games=["separate_suits"])
    factories.bot(arena, admin, "nobody", games=[])
    ids = [row.id for row in factories.bots(arena)]

    cup = tournaments.create(arena, admin, CUP, start=True)

    assert {row.bot for row in tournament_pages.page(arena, cup).standings} == {
        "cardsharp", *(f"bot-{number}" for number in range(4)),
    }  # fmt: skip
    says = "Only bots that play Suitability by David Parlett can be entered; nobody, stranger cannot."
    with pytest.raises(Refused) as refused:
        tournaments.create(arena, admin, cup_of(*ids), start=True)
    assert str(refused.value) == says
    assert tournaments.preview(arena, cup_of(*ids)).problem == says


def test_cancelled_tournament_stops_and_keeps_finished_tables(arena: Arena, admin: Account) -> None:
    """A worker that still plays loses its lease, and finished tables stay rated."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    ids = factories.table_ids(arena, cup)
    factories.play_all(arena, ids[:2])
    claim = claims.claim(arena, ids[2], "worker")
    assert claim

    tournaments.cancel(arena, admin, cup)

    with pytest.raises(LeaseLost):
        claims.submit(arena, claim, result_of(arena, ids[2]))
    assert factories.play_all(arena, ids) == ["nothing"] * 5
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.tables_done, page.seed) == ("cancelled", 2, factories.SEED.hex())
    with arena.reading() as session:
        outcomes = session.scalars(select(Attempt.outcome).where(Attempt.table_id == ids[2])).all()
    assert outcomes == ["cancelled"]
    sweep.tick(arena)
    assert {row.tables for row in factories.leaderboard(arena, VARIANT)} == {1, 2}
    assert fsck.check(arena) == []
    with pytest.raises(Refused, match="Cannot cancel: the tournament is cancelled"):
        tournaments.cancel(arena, admin, cup)


def test_doorbells_ring_only_after_a_commit(arena: Arena, admin: Account) -> None:
    """A worker that answers immediately finds all rows; a failed transaction rings no doorbell."""
    found: list[list[str]] = []

    def play_at_once(rung: Sequence[Doorbell]) -> bool:
        found.append(factories.play_all(arena, [bell.id for bell in rung if bell.task == PLAY]))
        return True

    eager = open_arena(arena.settings, play_at_once)
    versions = factories.field_of(arena, admin, 4)

    factories.tournament(eager, admin, versions)
    assert found == [["done"]]

    with pytest.raises(Refused):
        factories.tournament(eager, admin, versions[:3])
    assert len(found) == 1


def test_home_and_match_pages_show_played_matches(arena: Arena, admin: Account) -> None:
    """Home has counts and lists; a match's page has its seats, record and replay."""
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


def test_match_page_lists_the_other_seatings_of_the_same_boards(arena: Arena, admin: Account) -> None:
    """A table with two sets of boards plays each set under both seatings of the partners."""
    versions = factories.field_of(arena, admin, 2)
    cup = factories.tournament(arena, admin, versions, "suitability-4-partners", boards=2)
    factories.play_all(arena, factories.table_ids(arena, cup))

    one, two = matches.match_page(arena, home(arena).matches[0].id, None).sets
    deals = [matches.replay_of(arena, match)["steps"][0] for match in (*one, *two)]
    assert deals[0] == deals[1] != deals[2] == deals[3]


def test_tournaments_are_listed_by_kind(arena: Arena, admin: Account) -> None:
    """Cups, ladders, comparisons and placements have lists of their own; trials have none."""
    versions = factories.field_of(arena, admin, 4)
    for format, priority in (("round_robin", 0), ("knockout", 0), ("ladder", -5), ("comparison", 0), ("trial", 0)):
        made = factories.tournament(arena, admin, versions)
        with arena.transaction() as session:
            values = {
                "format": format,
                "priority": priority,
                "name": f"A {format}",
                "shape": {"rounds": 1, "advance": 2},
            }
            session.execute(update(Tournament).where(Tournament.id == made).values(values))
    factories.tournament(arena, admin, versions, priority=10)

    def names(kind: str, search: str = "") -> list[str]:
        return [row.name for row in tournament_pages.listed_of(arena, kind, search=search).rows]

    assert names(tournament_pages.CUPS) == ["A knockout", "A round_robin"]
    assert names(tournament_pages.CUPS, "D_R") == ["A round_robin"]
    assert names(tournament_pages.LADDERS) == ["A ladder"]
    assert names(tournament_pages.COMPARISONS) == ["A comparison"]
    assert names(tournament_pages.PLACEMENTS) == ["a cup"]
