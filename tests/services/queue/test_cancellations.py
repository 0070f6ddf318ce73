"""Rejudging, withdrawals and the fault cap: results set aside no longer count anywhere, and stay consistent."""

import random
from collections.abc import Sequence

import pytest
from sqlalchemy import select, update

from arena.db.models import CurrentRating, Match, Table, TableSeat, Tournament
from arena.games.errors import NotFound, Refused
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.integrity import fsck
from arena.services.people import notices
from arena.services.queue import cancellations, claims, leases
from arena.services.queue.leases import LeaseLost
from arena.services.ratings import fold
from arena.services.tables import matches
from arena.services.tables.pages import table_page
from arena.services.tournaments import actions as tournaments
from arena.services.tournaments import fault_caps, rejudgements, withdrawals
from arena.services.tournaments import pages as tournament_pages
from arena.services.tournaments.views import TournamentPage
from arena.services.work import sweep
from tests import factories

VARIANT = "suitability-4"
PARTNERS = "suitability-4-partners"
"""A variant with two bots at a table, so that tournaments have many small tables."""

LONG_AGO = 1.0

FAULTY = b"def act(view):\n    return 1 / 0\n"
SOMETIMES = b"""from arena.sdk import Bot

class Sometimes(Bot):
    def act(self, view):
        return 1 / 0 if self.rng.random() < 0.04 else view.legal[0]
"""


def current_ratings(arena: Arena) -> dict[int, tuple[float, float, int, int]]:
    """Return the current ratings by version: mu, sigma, tables, matches."""
    with arena.reading() as session:
        return {
            row.version_id: (row.mu, row.sigma, row.tables, row.matches)
            for row in session.scalars(select(CurrentRating))
        }


def records(arena: Arena, tournament_id: int) -> dict[int, list[bytes]]:
    """Return the records of matches that count, by table number."""
    found: dict[int, list[bytes]] = {}
    with arena.reading() as session:
        query = select(Table.number, Match.record).join(Table, Table.id == Match.table_id)
        counts = (Table.tournament_id == tournament_id, Match.superseded.is_(False))
        for number, record in session.execute(query.where(*counts).order_by(Table.number, Match.seating)):
            found.setdefault(number, []).append(record)
    return found


def states(arena: Arena, tournament_id: int) -> list[str]:
    """Return the states of the tournament's tables, in the order of their numbers."""
    with arena.reading() as session:
        query = select(Table.state).where(Table.tournament_id == tournament_id).order_by(Table.number)
        return list(session.scalars(query))


def exits(page: TournamentPage) -> dict[int, tuple[str, int | None]]:
    """Return the reason of each exit and the table that it follows, by version."""
    return {row.version_id: (row.out, row.out_after) for row in page.standings if row.out}


def play_on(arena: Arena, tournament_id: int, seed: int = 0) -> TournamentPage:
    """Play all tables that can be played, one at a time in random order, and return the tournament's page."""
    rng = random.Random(seed)
    while waiting := _queued(arena, tournament_id):
        if factories.play_all(arena, [rng.choice(waiting)]) != ["done"]:
            break
    sweep.tick(arena)
    fold.rebuild(arena, tournaments.plan_of(arena, tournament_id).variant)
    return tournament_pages.page(arena, tournament_id)


def _queued(arena: Arena, tournament_id: int) -> Sequence[int]:
    with arena.reading() as session:
        here = (Table.tournament_id == tournament_id, Table.state == "queued")
        return session.scalars(select(Table.id).where(*here).order_by(Table.id)).all()


def test_rejudged_table_is_played_from_the_same_seed(arena: Arena, admin: Account) -> None:
    """The old attempt stays visible, and all figures end up as before."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 3), PARTNERS)
    ids = factories.table_ids(arena, cup)
    standings = play_on(arena, cup).standings
    before, played = current_ratings(arena), records(arena, cup)

    assert rejudgements.rejudge(arena, admin, cup, " doubtful result ", table_number=1) == 1

    assert fsck.check(arena) == []
    page = tournament_pages.page(arena, cup)
    assert (page.row.state, page.row.tables_done, page.seed) == ("running", 2, None)
    assert [(order.reason, order.table_number, order.by) for order in page.rejudgements] == [
        ("doubtful result", 1, "organiser")
    ]
    assert sum(row.tables for row in page.standings) == 4
    assert sorted(tables for _, _, tables, _ in current_ratings(arena).values()) == [1, 1]
    assert play_on(arena, cup).standings == standings
    assert (current_ratings(arena), records(arena, cup)) == (before, played)
    shown = table_page(arena, ids[1])
    assert [attempt.outcome for attempt in shown.attempts] == ["superseded", "done"]
    assert [len(attempt.sets[0]) for attempt in shown.attempts] == [2, 2]
    assert shown.sets == shown.attempts[1].sets
    assert shown.reasons == ("doubtful result",)
    old = matches.match_page(arena, shown.attempts[0].sets[0][0].id, None)
    assert old.superseded
    assert len(old.sets[0]) == 2
    assert fsck.check(arena) == []


def test_version_or_whole_tournament_can_be_rejudged(arena: Arena, admin: Account) -> None:
    """Played and failed tables are queued again; queued ones stay queued."""
    versions = factories.field_of(arena, admin, 4)
    cup = factories.tournament(arena, admin, versions, PARTNERS)
    ids = factories.table_ids(arena, cup)
    factories.play_all(arena, ids[:4])
    with arena.transaction() as session:  # as after a table's last attempt
        session.execute(update(Table).where(Table.id == ids[4]).values(state="infra_failed", finished=1.0))
        session.execute(update(Tournament).values(tables_failed=1))
    tournaments.pause(arena, admin, cup)

    assert rejudgements.rejudge(arena, admin, cup, "author's request", version_id=versions[0]) == 3
    assert states(arena, cup) == ["queued", "queued", "queued", "done", "infra_failed", "queued"]
    assert fsck.check(arena) == []
    assert rejudgements.rejudge(arena, admin, cup, "the rules were wrong") == 2
    assert states(arena, cup) == ["queued"] * 6
    assert current_ratings(arena) == {}
    assert tournament_pages.page(arena, cup).row.state == "paused"
    assert fsck.check(arena) == []
    tournaments.resume(arena, admin, cup)
    page = play_on(arena, cup)
    assert (page.row.state, page.row.tables_done, page.row.tables_failed) == ("finished", 6, 0)
    assert [order.bot for order in page.rejudgements] == [None, "bot-0"]
    assert fsck.check(arena) == []


def test_invalid_rejudgement_is_refused(arena: Arena, admin: Account, author: Account) -> None:
    """Each message gives the reason."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 2), PARTNERS)
    with pytest.raises(Refused, match="none of these tables has been played"):
        rejudgements.rejudge(arena, admin, cup, "why not")
    with pytest.raises(NotFound, match="There is no table 8 in a cup"):
        rejudgements.rejudge(arena, admin, cup, "why not", table_number=7)
    with pytest.raises(NotFound, match="Version 99 sits at no table of a cup"):
        rejudgements.rejudge(arena, admin, cup, "why not", version_id=99)
    with pytest.raises(Refused, match="Only an organiser"):
        rejudgements.rejudge(arena, author, cup, "why not")
    for reason in ("", " \n ", "x" * 501):
        with pytest.raises(Refused, match="Give a reason, in 1 to 500 characters"):
            rejudgements.rejudge(arena, admin, cup, reason)
    tournaments.cancel(arena, admin, cup)
    with pytest.raises(Refused, match="Cannot replay tables: the tournament is cancelled"):
        rejudgements.rejudge(arena, admin, cup, "why not")


def test_rejudgement_folds_later_results_of_other_tournaments_again(arena: Arena, admin: Account) -> None:
    """Until a rejudged table is played again, ratings are as if it had never been played."""
    versions = factories.field_of(arena, admin, 3)
    early = factories.tournament(arena, admin, versions[:2], PARTNERS)
    late = factories.tournament(arena, admin, versions[1:], PARTNERS)
    play_on(arena, early)
    play_on(arena, late)
    before = current_ratings(arena)

    rejudgements.rejudge(arena, admin, early, "doubtful result")

    alone = current_ratings(arena)
    assert set(alone) == set(versions[1:])
    assert alone[versions[2]][:2] != before[versions[2]][:2]
    assert fsck.check(arena) == []
    play_on(arena, early)
    assert current_ratings(arena) == before


def test_withdrawn_bot_keeps_its_results(arena: Arena, admin: Account, author: Account) -> None:
    """The other tables are cancelled, including one that a worker plays; owner and organiser get notices."""
    versions = [*factories.field_of(arena, admin, 3), factories.bot(arena, author, "quitter")]
    cup = factories.tournament(arena, admin, versions, PARTNERS)
    ids = factories.table_ids(arena, cup)  # 0-1 0-2 0-3 1-2 1-3 2-3
    factories.play_all(arena, ids[:3])
    claim = claims.claim(arena, ids[4], "worker")
    assert claim

    with pytest.raises(Refused, match="bot-0 is not your bot"):
        withdrawals.withdraw(arena, author, cup, versions[0], "not mine")
    withdrawals.withdraw(arena, author, cup, versions[3], "it has a bug")

    with pytest.raises(LeaseLost):
        leases.TABLES.renew(arena, claim)
    assert states(arena, cup) == ["done", "done", "done", "queued", "cancelled", "cancelled"]
    assert [notice.text for notice in notices.latest(arena, admin)] == [
        "quitter was withdrawn from a cup by author: it has a bug"
    ]
    with pytest.raises(Refused, match="quitter already left a cup: withdrawn"):
        withdrawals.withdraw(arena, admin, cup, versions[3], "again")
    with pytest.raises(NotFound, match="Version 99 does not take part in a cup"):
        withdrawals.withdraw(arena, admin, cup, 99, "it has a bug")
    withdrawals.withdraw(arena, admin, cup, versions[2], "it has a bug, too")
    page = play_on(arena, cup)
    assert exits(page) == {versions[3]: ("withdrawn", 2), versions[2]: ("withdrawn", 1)}
    assert (page.row.state, page.row.tables_done, page.row.tables_cancelled) == ("finished", 3, 3)
    assert {row.version_id: row.tables for row in page.standings}[versions[3]] == 1
    assert fsck.check(arena) == []
    with pytest.raises(Refused, match="Cannot withdraw: the tournament is finished"):
        withdrawals.withdraw(arena, admin, cup, versions[0], "late")


def test_withdrawal_from_a_solitaire_replaces_the_remaining_tables(arena: Arena, admin: Account) -> None:
    """All bots sit at every table of a solitaire, so new tables without the withdrawn bot replace queued ones."""
    versions = factories.field_of(arena, admin, 3)
    cup = factories.tournament(arena, admin, versions, "suits-barnhart-solitaire", rounds=3)
    factories.play_all(arena, factories.table_ids(arena, cup)[:1])

    withdrawals.withdraw(arena, admin, cup, versions[1], "it has a bug")

    assert states(arena, cup) == ["done", "cancelled", "cancelled", "queued", "queued"]
    page = play_on(arena, cup)
    assert (page.row.state, page.row.tables_done) == ("finished", 3)
    assert {row.version_id: row.tables for row in page.standings} == dict(zip(versions, (3, 1, 3), strict=True))
    [boards] = {len(board) for board in table_page(arena, page.tables[0].id).sets}
    assert boards == 2
    alone = table_page(arena, page.tables[0].id).sets[0][0].solitaire
    assert alone
    assert alone.result in ("win", "draw", "loss")
    assert fsck.check(arena) == []


def test_withdrawal_changes_no_other_tournament(arena: Arena, admin: Account) -> None:
    """Tables of the same bot elsewhere are neither cancelled nor counted, and their attempts go on."""
    versions = factories.field_of(arena, admin, 3)
    cup, other = (factories.tournament(arena, admin, versions, PARTNERS) for _ in range(2))
    claim = claims.claim(arena, factories.table_ids(arena, other)[0], "at work")
    assert claim

    withdrawals.withdraw(arena, admin, cup, versions[0], "it has a bug")
    tournaments.cancel(arena, admin, cup)

    assert states(arena, cup) == ["cancelled"] * 3
    assert states(arena, other) == ["running", "queued", "queued"]
    assert tournament_pages.page(arena, other).row.tables_cancelled == 0
    leases.TABLES.renew(arena, claim)
    assert fsck.check(arena) == []


def test_result_set_aside_leaves_no_trace_in_its_table(arena: Arena, admin: Account) -> None:
    """A rejudged table waits like a new one; a cancelled one has the time of its cancellation."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 3), PARTNERS)
    ids = factories.table_ids(arena, cup)
    factories.play_all(arena, ids[:2])
    cleared = dict.fromkeys(["lease_until", "worker", "rung_at", "retry_at", "finished"])
    fresh = {"state": "queued", "attempts": 0, **cleared}
    with arena.transaction() as session:
        tournament = session.get_one(Tournament, cup)
        session.execute(update(Table).values(finished=LONG_AGO, retry_at=LONG_AGO, rung_at=LONG_AGO))
        cancellations.set_aside(session, tournament, ids[:1], "queued")
        cancellations.set_aside(session, tournament, ids[1:2], "cancelled")

    with arena.reading() as session:
        first, second = (session.get_one(Table, table) for table in ids[:2])
        assert {column: getattr(first, column) for column in fresh} == fresh
        assert (second.state, second.worker, second.lease_until) == ("cancelled", None, None)
        assert second.finished is not None
        assert second.finished > LONG_AGO
        seats = session.execute(select(TableSeat.half_points, TableSeat.rank, TableSeat.faults).distinct()).all()
        assert seats == [(None, None, 0)]
        cup_row = session.get_one(Tournament, cup)
        assert (cup_row.tables_done, cup_row.tables_cancelled, cup_row.tables_failed) == (0, 1, 0)
    assert claims.claim(arena, ids[0], "tester")


def start_with_fault_cap(arena: Arena, admin: Account, versions: Sequence[int], cap: int) -> int:
    """Return a running round robin between pairs, with this fault cap."""
    cup = factories.tournament(arena, admin, versions, PARTNERS)
    with arena.transaction() as session:
        session.execute(update(Tournament).where(Tournament.id == cup).values(fault_cap=cap))
    return cup


def test_fault_cap_withdrawal_does_not_depend_on_finish_order(arena: Arena, admin: Account, author: Account) -> None:
    """The withdrawal follows the same table in any order of play; the owner gets a notice, and other bots play on."""
    sources = (factories.FIRST, FAULTY, factories.CHANCE, SOMETIMES)
    versions = [factories.bot(arena, author, f"bot-{number}", source) for number, source in enumerate(sources)]
    seen: list[object] = []
    for seed in range(3):
        cup = start_with_fault_cap(arena, admin, versions, 3)
        page = play_on(arena, cup, seed)
        assert (page.row.state, page.seed) == ("finished", factories.SEED.hex())
        numbers = [
            (row.version_id, row.rank, row.points, row.tables, row.faults, row.out_after) for row in page.standings
        ]
        seen.append((numbers, exits(page), states(arena, cup), records(arena, cup)))
        assert exits(page)[versions[1]] == ("faults", 3)
        assert fsck.check(arena) == []

    assert seen[0] == seen[1] == seen[2]
    received = notices.latest(arena, author)
    assert "bot-1 was withdrawn from a cup: it failed in more than 3 matches, most recently at table 4." in [
        notice.text for notice in received
    ]
    assert {notice.tournament for notice in received} == {"a cup"}
    assert notices.count_unseen(arena, author) == len(received)
    notices.mark_seen(arena, author, received[1].id)
    assert notices.count_unseen(arena, author) == 1
    notices.mark_seen(arena, author, received[0].id)
    assert notices.count_unseen(arena, author) == 0


def test_bot_with_as_many_faults_as_the_cap_stays(arena: Arena, author: Account, admin: Account) -> None:
    """A bot is withdrawn after the first table at which it has more faults than the cap."""
    sources = (FAULTY, factories.FIRST, factories.CHANCE, factories.LAST)
    versions = [factories.bot(arena, author, f"bot-{number}", source) for number, source in enumerate(sources)]
    cup = start_with_fault_cap(arena, admin, versions, 2)
    first, second, *_ = factories.table_ids(arena, cup)

    factories.play_all(arena, [first])
    with arena.transaction() as session:
        tournament = session.get_one(Tournament, cup)
        assert fault_caps.suspects(session, tournament) == []
        assert not fault_caps.enforce(session, tournament)
    sweep.tick(arena)
    page = tournament_pages.page(arena, cup)
    assert exits(page) == {}
    assert {row.version_id: row.faults for row in page.standings}[versions[0]] == 2

    factories.play_all(arena, [second])
    sweep.tick(arena)
    assert exits(tournament_pages.page(arena, cup)) == {versions[0]: ("faults", 1)}
    assert fsck.check(arena) == []


def test_two_bots_over_the_fault_cap_at_the_same_table_are_both_withdrawn(arena: Arena, admin: Account) -> None:
    """Each withdrawal is a separate step, and the other bots play on."""
    sources = (FAULTY, FAULTY, factories.FIRST, factories.CHANCE)
    versions = [factories.bot(arena, admin, f"bot-{number}", source) for number, source in enumerate(sources)]
    cup = start_with_fault_cap(arena, admin, versions, 0)

    page = play_on(arena, cup)

    assert exits(page) == {versions[0]: ("faults", 0), versions[1]: ("faults", 0)}
    assert states(arena, cup) == ["done", *["cancelled"] * 4, "done"]
    assert sum("was withdrawn" in notice.text for notice in notices.latest(arena, admin)) == 2
    assert fsck.check(arena) == []
