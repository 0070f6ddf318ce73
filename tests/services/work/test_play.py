"""Each table is played exactly once, even if doorbells, workers and leases are lost."""

import json
import threading
import time
from typing import Any

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import undefer, undefer_group
from structlog.testing import capture_logs

from arena.db.models import Attempt, Match, MatchSeat, Table, TableSeat, Tournament
from arena.games.base import CHANCE
from arena.games.registry import game
from arena.match.record import unpack
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.integrity import fsck
from arena.services.play.table import TableResult, play_work
from arena.services.queue import claims, leases
from arena.services.queue.leases import LeaseLost
from arena.services.tables import matches
from arena.services.work import play, sweep
from tests import factories
from tests.cages import LocalCage, fail_to_start
from tests.costs import measured

LONGER_THAN_A_LEASE = 10_000.0
SLACK = 4.0
"""Seconds that a statement may take on a busy machine."""


@pytest.fixture
def cup(arena: Arena, admin: Account) -> int:
    """Start a tournament of one table; return its ID."""
    return factories.tournament(arena, admin, factories.field_of(arena, admin, 4))


@pytest.fixture
def table(arena: Arena, cup: int) -> int:
    """Return the ID of the tournament's table."""
    return factories.table_ids(arena, cup)[0]


def state_of(arena: Arena, table_id: int) -> str:
    """Return the state of a table."""
    with arena.reading() as session:
        return session.get_one(Table, table_id).state


def outcomes(arena: Arena, table_id: int) -> list[str | None]:
    """Return the outcomes of a table's attempts, in order."""
    with arena.reading() as session:
        query = select(Attempt.outcome).where(Attempt.table_id == table_id).order_by(Attempt.fence)
        return list(session.scalars(query))


def let_lease_run_out(arena: Arena, table_id: int) -> None:
    """Set the end of the table's lease to the past."""
    with arena.transaction() as session:
        session.execute(
            update(Table).where(Table.id == table_id).values(lease_until=Table.lease_until - LONGER_THAN_A_LEASE)
        )


def result_of(arena: Arena, table_id: int) -> TableResult:
    """Play the table without storing anything, and return its result."""
    with arena.reading() as session:
        work = play.load(session, table_id)
    return play_work(work, LocalCage())


def test_table_is_played_under_every_seating(arena: Arena, cup: int, table: int) -> None:
    """A table has four matches on the same boards, with every bot in every seat, and its points add up."""
    assert factories.play_all(arena, [table]) == ["done"]

    with arena.reading() as session:
        records = [unpack(packed) for packed in session.scalars(select(Match.record).order_by(Match.seating))]
        seats = session.execute(select(MatchSeat.version_id, MatchSeat.seat)).all()
        points = session.scalars(select(TableSeat.half_points)).all()
    assert len(records) == 4
    assert all(record["boards"] == records[0]["boards"] for record in records)
    assert len(set(map(tuple, seats))) == 16
    assert sum(half or 0 for half in points) == 4 * 12  # six pairs in each of four matches, two half points each
    assert fsck.check(arena) == []


def test_number_of_tables_does_not_change_the_statements_that_load_them(arena: Arena, admin: Account) -> None:
    """Tables of a batch are loaded together, and bots that are seated at several of them once."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    ids = factories.table_ids(arena, cup)
    with measured(arena) as one, arena.reading() as session:
        alone = play.load(session, ids[0])
    with measured(arena) as five, arena.reading() as session:
        together = play.load_all(session, ids)

    assert one.statements == five.statements
    assert (together[ids[0]]().places, together[ids[0]]().seed) == (alone.places, alone.seed)
    assert len({id(sitter.source) for table in ids for sitter in together[table]().places}) == 5


def test_tournament_finishes_with_its_last_table(arena: Arena, admin: Account) -> None:
    """The tournament is running until then, and counts its tables."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    ids = factories.table_ids(arena, cup)

    factories.play_all(arena, ids[:-1])
    with arena.reading() as session:
        assert session.get_one(Tournament, cup).state == "running"

    factories.play_all(arena, ids[-1:])
    with arena.reading() as session:
        assert session.get_one(Tournament, cup).state == "finished"
        assert session.get_one(Tournament, cup).tables_done == 5
    assert fsck.check(arena) == []


def test_repeated_doorbell_does_nothing(arena: Arena, table: int) -> None:
    """Duplicated and late doorbells are harmless."""
    assert factories.play_all(arena, [table, table, table]) == ["done", "nothing", "nothing"]

    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(Match)) == 4


def test_concurrent_claims_succeed_once(arena: Arena, table: int) -> None:
    """Exactly one of eight threads that claim the table at the same time gets it."""
    ready = threading.Barrier(8)
    taken: list[leases.Claim | None] = []

    def race(number: int) -> None:
        ready.wait()
        taken.append(claims.claim(arena, table, f"worker {number}"))

    threads = [threading.Thread(target=race, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(taken) == 8
    assert [claim for claim in taken if claim] == [leases.Claim(table, 1)]


def test_result_under_an_old_fence_is_rejected(arena: Arena, table: int) -> None:
    """A worker that slept past its lease cannot submit a table that another worker plays."""
    late = claims.claim(arena, table, "sleeper")
    assert late
    result = result_of(arena, table)
    let_lease_run_out(arena, table)
    sweep.tick(arena)
    factories.due_now(arena)
    current = claims.claim(arena, table, "other")
    assert current

    with pytest.raises(LeaseLost):
        claims.submit(arena, late, result)
    with pytest.raises(LeaseLost):
        leases.TABLES.renew(arena, late)
    claims.submit(arena, current, result)
    with pytest.raises(LeaseLost):
        claims.submit(arena, current, result)

    assert outcomes(arena, table) == ["expired", "done"]
    assert fsck.check(arena) == []


def test_result_is_stored_atomically(arena: Arena, cup: int, table: int) -> None:
    """If one match cannot be stored, none is."""
    claim = claims.claim(arena, table, "tester")
    assert claim
    good = result_of(arena, table)
    *seats, last = good.matches[3].seats
    bad = good._replace(matches=[*good.matches[:3], good.matches[3]._replace(seats=[*seats, {**last, "score": None}])])

    with pytest.raises(Exception, match=r"NOT NULL|not-null"):
        claims.submit(arena, claim, bad)

    assert state_of(arena, table) == "running"
    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(Match)) == 0
        assert session.get_one(Tournament, cup).tables_done == 0
    claims.submit(arena, claim, good)
    assert state_of(arena, table) == "done"


def test_renewed_lease_does_not_expire(arena: Arena, table: int) -> None:
    """A renewal extends the lease from the database's current time."""
    claim = claims.claim(arena, table, "tester")
    assert claim
    let_lease_run_out(arena, table)
    leases.TABLES.renew(arena, claim)

    sweep.tick(arena)

    assert state_of(arena, table) == "running"


def test_lease_that_is_renewed_during_a_sweep_does_not_expire(
    arena: Arena, table: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sweep checks the lease again in the transaction that queues the table."""
    claim = claims.claim(arena, table, "tester")
    assert claim
    monkeypatch.setattr(leases.Leases, "expired", lambda *_: [claim])  # found just before the renewal

    assert claims.expire(arena) == 0

    assert state_of(arena, table) == "running"
    let_lease_run_out(arena, table)
    assert claims.expire(arena) == 1
    assert state_of(arena, table) == "queued"


def test_failed_table_waits_for_its_back_off(arena: Arena, table: int) -> None:
    """The wait starts when the table is given back, and grows with each attempt."""
    for attempts in range(1, leases.ATTEMPTS):
        claim = claims.claim(arena, table, "tester")
        assert claim
        before = time.time()
        claims.give_back(arena, claim, "the zygote did not answer")

        with arena.reading() as session:
            row = session.get_one(Table, table)
            assert (row.state, row.attempts, row.worker, row.rung_at) == ("queued", attempts, None, None)
            assert row.retry_at == pytest.approx(before + leases.back_off(attempts), abs=SLACK)
        assert claims.claim(arena, table, "tester") is None
        factories.due_now(arena)


def test_claim_is_stored_with_its_worker_and_lease(arena: Arena, table: int) -> None:
    """The table and the attempt name the worker, and the lease ends after the set time."""
    before = time.time()
    claim = claims.claim(arena, table, "tester")
    assert claim

    with arena.reading() as session:
        row = session.get_one(Table, table)
        attempt = session.scalars(select(Attempt)).one()
        assert (row.state, row.worker, row.attempts, row.retry_at) == ("running", "tester", 1, None)
        assert row.lease_until == pytest.approx(before + arena.settings.lease, abs=SLACK)
        assert (attempt.worker, attempt.fence, attempt.ended, attempt.outcome) == ("tester", 1, None, None)
        assert attempt.started == pytest.approx(before, abs=SLACK)


def test_attempt_and_table_have_the_time_of_their_end(arena: Arena, table: int) -> None:
    """A table that is queued again is not finished; a renewed lease lasts as long as a new one."""
    before = time.time()
    first = claims.claim(arena, table, "tester")
    assert first
    claims.give_back(arena, first, "the zygote did not answer")
    with arena.reading() as session:
        assert session.get_one(Table, table).finished is None
        ended = session.scalars(select(Attempt.ended)).all()
    factories.due_now(arena)
    second = claims.claim(arena, table, "tester")
    assert second
    let_lease_run_out(arena, table)
    leases.TABLES.renew(arena, second)
    with arena.reading() as session:
        lease_until = session.get_one(Table, table).lease_until
    claims.submit(arena, second, result_of(arena, table))

    assert len(ended) == 1
    assert ended[0] == pytest.approx(before, abs=SLACK)
    assert lease_until == pytest.approx(before + arena.settings.lease, abs=2 * SLACK)
    with arena.reading() as session:
        row = session.get_one(Table, table)
        assert (row.state, row.lease_until) == ("done", None)
        assert row.finished == pytest.approx(before, abs=4 * SLACK)
        assert None not in session.scalars(select(Attempt.ended)).all()


def test_expired_lease_queues_the_table_again(arena: Arena, table: int, bell: factories.Bell) -> None:
    """The sweep rings for it once it is due."""
    claims.claim(arena, table, "gone")
    let_lease_run_out(arena, table)
    bell.heard.clear()

    assert sweep.tick(arena).expired == 1

    assert state_of(arena, table) == "queued"
    assert bell.tables() == []
    factories.due_now(arena)
    sweep.tick(arena)
    assert bell.tables() == [table]


def test_table_is_not_rated_after_its_last_attempt_fails(arena: Arena, cup: int, table: int) -> None:
    """The state becomes `infra_failed`, and the tournament finishes without the table."""
    results = []
    for _ in range(leases.ATTEMPTS + 1):
        results += factories.play_all(arena, [table], LocalCage(fail_to_start))
        factories.due_now(arena)

    assert results == ["fault"] * leases.ATTEMPTS + ["nothing"]
    assert state_of(arena, table) == "infra_failed"
    sweep.tick(arena)
    with arena.reading() as session:
        tournament = session.get_one(Tournament, cup)
        assert (tournament.state, tournament.tables_done, tournament.tables_failed) == ("finished", 0, 1)
        reasons = session.scalars(select(Attempt.reason)).all()
    assert reasons == ["the zygote did not answer"] * leases.ATTEMPTS
    assert fsck.check(arena) == []


def test_back_off_grows_with_each_attempt() -> None:
    """A table is retried after 5, 20 and 60 seconds, then after 5 and 15 minutes."""
    waits = [leases.back_off(attempts) for attempts in range(1, leases.ATTEMPTS)]

    assert waits == [5, 20, 60, 300, 900]
    assert leases.back_off(leases.ATTEMPTS) == 900


def test_retry_after_an_arena_fault_has_the_same_boards(arena: Arena, table: int) -> None:
    """The second attempt gives the result that the first would have given."""
    expected = [match.record for match in result_of(arena, table).matches]

    assert factories.play_all(arena, [table], LocalCage(fail_to_start)) == ["fault"]
    factories.due_now(arena)
    assert factories.play_all(arena, [table]) == ["done"]

    with arena.reading() as session:
        assert list(session.scalars(select(Match.record).order_by(Match.seating))) == expected
    assert outcomes(arena, table) == ["fault", "done"]


def test_internal_error_queues_the_table_again_and_is_logged(arena: Arena, table: int) -> None:
    """The attempt has a public reason without private text, and the log has one traceback."""

    def raise_error() -> None:
        raise ZeroDivisionError("private text")

    with capture_logs() as logs:
        assert factories.play_all(arena, [table], LocalCage(raise_error)) == ["fault"]

    assert [str(line["exc_info"]) for line in logs if "exc_info" in line] == ["private text"]
    assert state_of(arena, table) == "queued"
    assert outcomes(arena, table) == ["fault"]
    with arena.reading() as session:
        reason = session.scalars(select(Attempt.reason)).one()
    assert reason == "an internal error (ZeroDivisionError); see the worker's log"


def test_table_that_cannot_be_loaded_is_given_back_immediately(arena: Arena, cup: int, table: int) -> None:
    """If a variant is no longer offered, the attempt has a reason, and no lease has to expire first."""
    with arena.transaction() as session:
        session.execute(update(Tournament).where(Tournament.id == cup).values(variant="no-longer-offered"))

    with capture_logs() as logs:
        assert factories.play_all(arena, [table]) == ["fault"]
    assert "no-longer-offered" in logs[0]["reason"]

    with arena.reading() as session:
        assert session.get_one(Table, table).state == "queued"
        reason = session.scalars(select(Attempt.reason).where(Attempt.table_id == table)).one()
    assert reason
    assert "there is no variant 'no-longer-offered'" in reason


def test_faulty_bot_loses_and_the_table_is_done(arena: Arena, admin: Account) -> None:
    """The fault is stored with private details, even if they contain NUL characters or lone surrogates."""
    raises = b"def act(view):\n    raise ValueError('nul \\0 and \\ud800')\n"
    versions = [*factories.field_of(arena, admin, 3), factories.bot(arena, admin, "faulty", raises)]
    [table] = factories.table_ids(arena, factories.tournament(arena, admin, versions))

    assert factories.play_all(arena, [table]) == ["done"]

    with arena.reading() as session:
        seats = session.scalars(select(MatchSeat).where(MatchSeat.version_id == versions[3])).all()
        place = session.scalars(select(TableSeat).where(TableSeat.version_id == versions[3])).one()
        assert [(seat.rank, seat.fault) for seat in seats] == [(4, "error")] * 4
        assert all("nul" in seat.detail and "\0" not in seat.output for seat in seats)
        assert (place.rank, place.half_points, place.faults) == (4, 0, 4)
    assert fsck.check(arena) == []


def test_fault_is_stored_with_its_move_and_view(arena: Arena, admin: Account) -> None:
    """Replaying the record up to that move gives the seat an identical view."""
    late = b"""from arena.sdk import Bot

class Late(Bot):
    asked = 0

    def act(self, view):
        self.asked += 1
        return view.legal[0] if self.asked < 9 else 1 / 0
"""
    versions = [*factories.field_of(arena, admin, 3), factories.bot(arena, admin, "late", late)]
    factories.play_all(arena, factories.table_ids(arena, factories.tournament(arena, admin, versions)))

    with arena.reading() as session:
        failed = session.scalars(
            select(MatchSeat).where(MatchSeat.fault.is_not(None)).options(undefer_group("private"))
        ).all()
        records = {seat.match_id: unpack(session.get_one(Match, seat.match_id).record) for seat in failed}
    assert len(failed) == 4
    for seat in failed:
        assert seat.move is not None
        view = view_at(records[seat.match_id], seat.move, seat.seat)
        assert json.dumps(seat.view) == json.dumps(view)


def view_at(record: dict[str, Any], move: int, seat: int) -> dict[str, Any]:
    """Return the view of a seat before the move with this index."""
    rules = game(record["game"], record["options"])
    state = rules.start()
    for _, token in record["moves"][:move]:
        while state.seat == CHANCE:
            state.deal(rules.board_from_json(state.boards, record["boards"][state.boards]))
        state.apply(next(action for action in state.legal(state.seat) if rules.token(action) == token))
    return state.view(seat)


def test_fault_while_loading_has_no_view(arena: Arena, admin: Account) -> None:
    """The bot was sent no view, so only the move of its first turn is stored."""
    versions = [*factories.field_of(arena, admin, 3), factories.bot(arena, admin, "unloaded", b"1 / 0\n")]
    factories.play_all(arena, factories.table_ids(arena, factories.tournament(arena, admin, versions)))

    with arena.reading() as session:
        failed = session.scalars(
            select(MatchSeat).where(MatchSeat.fault.is_not(None)).options(undefer_group("private"))
        ).all()
        assert [(seat.view, seat.move is None) for seat in failed] == [(None, False)] * 4


@pytest.mark.parametrize("level", ["both", "one", "none"])
def test_match_has_the_level_of_its_cage(arena: Arena, cup: int, table: int, level: str) -> None:
    """The level is not part of the record, so that equal play gives equal bytes; tournaments count insecure tables."""
    expected = [match.record for match in result_of(arena, table).matches]

    factories.play_all(arena, [table], LocalCage(level=level))

    with arena.reading() as session:
        played = session.scalars(select(Match).order_by(Match.seating).options(undefer(Match.record))).all()
        assert [match.cage for match in played] == [level] * 4
        assert [match.record for match in played] == expected
        assert session.get_one(Tournament, cup).tables_insecure == (level == "none")
    assert matches.match_page(arena, played[0].id, None).cage == level
    assert fsck.check(arena) == []


def test_partners_are_one_bot_and_swap_seats(arena: Arena, admin: Account) -> None:
    """Each of two bots fills both seats of a team, and the teams swap seats in the second match."""
    versions = factories.field_of(arena, admin, 2)
    cup = factories.tournament(arena, admin, versions, "suitability-4-partners")

    factories.play_all(arena, factories.table_ids(arena, cup))

    with arena.reading() as session:
        seats = session.execute(select(MatchSeat.version_id).order_by(MatchSeat.match_id, MatchSeat.seat)).scalars()
        first, second = session.scalars(select(TableSeat.version_id).order_by(TableSeat.position))
        assert {first, second} == set(versions)
        assert list(seats) == [first, second, first, second, second, first, second, first]
    assert fsck.check(arena) == []


def test_sets_of_boards_differ(arena: Arena, admin: Account) -> None:
    """With three sets, a table has twelve matches, and each set has its own boards."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), boards=3)
    factories.play_all(arena, factories.table_ids(arena, cup))

    with arena.reading() as session:
        records = [unpack(packed) for packed in session.scalars(select(Match.record).order_by(Match.seating))]
    assert [str(record["boards"]) for record in records[::4]] == [str(record["boards"]) for record in records[3::4]]
    assert len({str(record["boards"]) for record in records}) == 3
    assert fsck.check(arena) == []
