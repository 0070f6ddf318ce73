"""Swiss tournaments and knockouts, whose stages are drawn from results."""

import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from arena.db.models import Table, Version
from arena.games.errors import Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.bots import actions as bots
from arena.services.formats.plans import Plan
from arena.services.integrity import fsck
from arena.services.people import notices
from arena.services.play.table import TableResult
from arena.services.queue import claims, leases
from arena.services.ratings import fold
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments import rejudgements, rounds, stages, withdrawals
from arena.services.tournaments.views import TournamentPage
from arena.services.work import play, sweep
from tests import factories
from tests.services.queue.test_cancellations import current_ratings, exits, records, states
from tests.services.work.test_play import result_of
from tests.simulated_play import simulated_play

PARTNERS = "suitability-4-partners"
SWISS = Plan("swiss", PARTNERS, "swiss", {"rounds": 3}, boards=1)
KNOCKOUT = Plan("knockout", PARTNERS, "knockout", {"advance": 1}, boards=1)


def start(arena: Arena, admin: Account, plan: Plan, versions: Sequence[int]) -> int:
    """Start a tournament of these versions; return its ID."""
    with arena.transaction() as session:
        return stages.start(session, plan, versions, admin.id, seed=factories.SEED)


def waiting(arena: Arena, tournament_id: int) -> list[int]:
    """Return the IDs of queued tables, by number."""
    with arena.reading() as session:
        here = (Table.tournament_id == tournament_id, Table.state == "queued")
        return list(session.scalars(select(Table.id).where(*here).order_by(Table.number)))


def submit_wins(arena: Arena, tournament_id: int, tables: Sequence[int] | None = None) -> TournamentPage:
    """Submit results of these tables, by default all queued ones, in which the better seed wins."""
    for table in tables or waiting(arena, tournament_id):
        claim = claims.claim(arena, table, "tester")
        assert claim
        with arena.reading() as session:
            first, second = play.load(session, table).places
        ranks = [1, 2] if first.version < second.version else [2, 1]
        claims.submit(arena, claim, TableResult([], [8 - 4 * rank for rank in ranks], ranks, [0, 0]))
    stages.advance(arena, tournament_id)
    return tournament_pages.page(arena, tournament_id)


def pairings(page: TournamentPage) -> list[list[tuple[str, ...]]]:
    """Return the names of the bots at each table of each stage."""
    return [[tuple(sorted(place.bot for place in table.places)) for table in stage.tables] for stage in page.stages]


def test_swiss_rounds_pair_bots_with_similar_results(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No pair meets twice, no bot sits out twice, and sitting out costs nothing."""
    cup = start(arena, admin, SWISS, factories.field_of(arena, admin, 5))
    assert states(arena, cup) == ["queued", "queued"]
    assert tournament_pages.page(arena, cup).stages[0].title == "Round 1"

    submit_wins(arena, cup)
    submit_wins(arena, cup)
    page = submit_wins(arena, cup)

    assert (page.row.state, page.row.tables_total) == ("finished", 6)
    met = [table for stage in pairings(page) for table in stage]
    assert len(met) == len(set(met)) == 6
    byes = [entry.bot for stage in page.stages for entry in stage.byes]
    assert len(byes) == len(set(byes)) == 3
    assert {row.bot: row.sat_out for row in page.standings} == {f"bot-{n}": byes.count(f"bot-{n}") for n in range(5)}
    assert page.standings[0].bot == "bot-0"
    monkeypatch.setattr(rounds, "SHOWN", 3)  # the page shows the tables of the latest rounds only
    assert [len(tables) for tables in pairings(tournament_pages.page(arena, cup))] == [0, 0, 2]
    assert [row.share for row in page.standings] == sorted((row.share for row in page.standings), reverse=True)  # type: ignore[type-var]


def test_strength_of_opponents_breaks_ties_in_a_swiss_tournament(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With equal shares, the bot that met stronger opponents ranks higher; if that is equal, too, they share a rank."""
    monkeypatch.setattr(play, "play_work", simulated_play({f"bot-{number}": -100.0 * number for number in range(4)}))
    cup = start(arena, admin, SWISS, factories.field_of(arena, admin, 4))

    def played() -> list[tuple[str, int, float | None, float | None]]:
        factories.play_all(arena, waiting(arena, cup))
        page = tournament_pages.page(arena, cup)
        return [(row.bot, row.rank, row.share, row.opponents) for row in page.standings]

    assert tournament_pages.page(arena, cup).standings[0].opponents is None
    assert played() == [("bot-0", 1, 1, 0), ("bot-1", 1, 1, 0), ("bot-2", 3, 0, 1), ("bot-3", 3, 0, 1)]
    assert played() == [("bot-0", 1, 1, 0.25), ("bot-1", 2, 0.5, 0.75), ("bot-2", 3, 0.5, 0.25), ("bot-3", 4, 0, 0.75)]


def test_knockout_eliminates_all_bots_but_one(arena: Arena, admin: Account) -> None:
    """The best of seven seeds has a bye, winners advance, and bots are ranked by the stage that they reached."""
    versions = factories.field_of(arena, admin, 7)
    cup = start(arena, admin, KNOCKOUT, versions)
    page = tournament_pages.page(arena, cup)
    assert [(entry.bot, entry.number) for entry in page.stages[0].byes] == [("bot-0", 0)]
    assert page.stages[0].through == ()

    page = submit_wins(arena, cup)
    assert page.stages[0].through == tuple(sorted(versions[1:4]))
    assert [row.reached for row in page.standings] == [1, 1, 1, 1, 0, 0, 0]
    submit_wins(arena, cup)
    page = submit_wins(arena, cup)

    assert (page.row.state, page.row.tables_total) == ("finished", 6)
    assert [stage.title for stage in page.stages] == ["Stage 1", "Stage 2", "Final"]
    assert pairings(page)[2] == [("bot-0", "bot-1")]
    assert [(row.bot, row.rank, row.reached) for row in page.standings[:3]] == [
        ("bot-0", 1, 2), ("bot-1", 2, 2), ("bot-2", 3, 1),
    ]  # fmt: skip
    assert [row.rank for row in page.standings] == [1, 2, 3, 3, 5, 5, 5]
    assert sorted(exits(page)) == versions[2:]


def test_next_in_rank_replaces_a_bot_withdrawn_from_a_knockout(arena: Arena, admin: Account) -> None:
    """The table of a withdrawn bot is played to the end first; a deactivated bot is replaced in the same way."""
    versions = factories.field_of(arena, admin, 8)
    cup = start(arena, admin, KNOCKOUT, versions)
    first, *others = waiting(arena, cup)
    submit_wins(arena, cup, others)
    assert pairings(tournament_pages.page(arena, cup)) == [
        [("bot-0", "bot-7"), ("bot-1", "bot-6"), ("bot-2", "bot-5"), ("bot-3", "bot-4")]
    ]
    withdrawals.withdraw(arena, admin, cup, versions[0], "it is broken")
    with arena.reading() as session:
        deactivated = session.get_one(Version, versions[1]).bot_id
    bots.set_active(arena, admin, deactivated, False)
    assert len(waiting(arena, cup)) == 1

    page = submit_wins(arena, cup, [first])

    assert {entry for table in pairings(page)[1] for entry in table} == {"bot-7", "bot-6", "bot-2", "bot-3"}
    assert exits(page)[versions[0]] == ("withdrawn", 3)
    assert exits(page)[versions[1]] == ("deactivated", 3)
    for version in versions[2:4]:
        withdrawals.withdraw(arena, admin, cup, version, "it is broken")
    page = submit_wins(arena, cup)
    assert {entry for table in pairings(page)[2] for entry in table} == {"bot-7", "bot-6"}
    withdrawals.withdraw(arena, admin, cup, versions[7], "it is broken, too")
    page = submit_wins(arena, cup)
    assert page.row.state == "finished"


def test_swiss_tournament_continues_without_withdrawn_bots(arena: Arena, admin: Account) -> None:
    """The bot's table is cancelled, its opponent sits out, and with too few bots left the tournament finishes."""
    versions = factories.field_of(arena, admin, 4)
    cup = start(arena, admin, SWISS, versions)
    withdrawals.withdraw(arena, admin, cup, versions[0], "it is broken")
    assert states(arena, cup) == ["cancelled", "queued"]
    with arena.reading() as session:
        deactivated = session.get_one(Version, versions[1]).bot_id
    bots.set_active(arena, admin, deactivated, False)

    page = submit_wins(arena, cup)
    assert (pairings(page)[1], page.stages[1].byes) == ([("bot-2", "bot-3")], ())
    assert {row.bot: row.sat_out for row in page.standings}["bot-3"] == 1
    withdrawals.withdraw(arena, admin, cup, versions[2], "it is broken")
    stages.advance(arena, cup)

    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.tables_done, page.row.tables_cancelled) == ("finished", 1, 2)
    assert sorted(exits(page)) == versions[:3]


def test_knockout_pauses_for_a_table_that_could_not_be_played(arena: Arena, admin: Account) -> None:
    """The tournament pauses with a notice; it continues once the table is rejudged and the tournament resumed."""
    cup = start(arena, admin, KNOCKOUT, factories.field_of(arena, admin, 4))
    table, other = waiting(arena, cup)
    submit_wins(arena, cup, [other])
    factories.give_up(arena, table)

    sweep.tick(arena)
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.tables_total) == ("paused", 2)
    assert "Table 1 could not be played" in str(page.row.problem)
    tournaments.resume(arena, admin, cup)
    assert tournament_pages.page(arena, cup).row.state == "paused"
    assert len(notices.latest(arena, admin)) == 2

    rejudgements.rejudge(arena, admin, cup, "the machine was broken", table_number=0)
    tournaments.resume(arena, admin, cup)
    page = submit_wins(arena, cup)
    assert (page.row.state, page.row.problem, page.row.tables_total) == ("running", None, 3)


def test_only_tables_of_the_latest_round_can_be_rejudged_individually(arena: Arena, admin: Account) -> None:
    """Rejudging the whole tournament returns it to the first round; later rounds are drawn again."""
    versions = factories.field_of(arena, admin, 4)
    cup = start(arena, admin, KNOCKOUT, versions)
    submit_wins(arena, cup)
    for tables in ({"table_number": 0}, {"version_id": versions[3]}):
        with pytest.raises(Refused, match="Round 2 has been drawn from the results of round 1"):
            rejudgements.rejudge(arena, admin, cup, "doubtful result", **tables)
    submit_wins(arena, cup)
    assert rejudgements.rejudge(arena, admin, cup, "doubtful result", table_number=2) == 1
    assert tournament_pages.page(arena, cup).row.state == "running"
    submit_wins(arena, cup)

    assert rejudgements.rejudge(arena, admin, cup, "all results are doubtful") == 2

    page = tournament_pages.page(arena, cup)
    assert (states(arena, cup), exits(page), len(page.stages)) == (["queued", "queued", "cancelled"], {}, 1)
    submit_wins(arena, cup)
    page = submit_wins(arena, cup)
    assert (states(arena, cup), page.row.state) == (["done", "done", "cancelled", "done"], "finished")
    assert [row.rank for row in page.standings] == [1, 2, 3, 3]


def play_with_workers(arena: Arena, tournament_id: int, count: int, rng: random.Random) -> None:
    """Play a tournament with `count` play_with_workers, which claim and finish tables in random order."""
    held: list[leases.Claim] = []
    while held or waiting(arena, tournament_id):
        ready = waiting(arena, tournament_id)
        if ready and len(held) < count:
            claim = claims.claim(arena, rng.choice(ready), "tester")
            assert claim
            held.append(claim)
        else:
            claim = held.pop(rng.randrange(len(held)))
            claims.submit(arena, claim, result_of(arena, claim.id))
            stages.advance(arena, tournament_id)
            fold.fold(arena, PARTNERS, tournament_id)
    sweep.tick(arena)
    fold.catch_up(arena, PARTNERS)


@pytest.fixture
def arenas(tmp_path: Path, sqlite_template: Path) -> Iterator[list[Arena]]:
    """Open three empty arenas."""
    opened = []
    for name in ("one", "two", "three"):
        (tmp_path / name).mkdir()
        shutil.copy(sqlite_template, tmp_path / name / "arena.db")
        opened.append(open_arena(factories.settings_in(tmp_path / name)))
    yield opened
    for arena in opened:
        arena.close()


@pytest.mark.parametrize("plan", [SWISS, KNOCKOUT], ids=["swiss", "knockout"])
def test_results_do_not_depend_on_the_number_of_workers(arenas: Sequence[Arena], plan: Plan) -> None:
    """Records, standings and ratings do not depend on the order in which tables finish."""
    found: list[tuple[Any, ...]] = []
    for arena, count in zip(arenas, (1, 4, 4), strict=True):
        admin = factories.user(arena, "organiser", admin=True)
        versions = factories.field_of(arena, admin, 6)
        cup = start(arena, admin, plan, versions)
        play_with_workers(arena, cup, count, random.Random(count + len(found)))
        page = tournament_pages.page(arena, cup)
        assert page.row.state == "finished"
        assert fsck.check(arena) == []
        found.append((page.standings, pairings(page), records(arena, cup), current_ratings(arena)))

    assert found[0] == found[1] == found[2]
    assert len(found[0][3]) >= 4
