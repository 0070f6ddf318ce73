"""A table is played once, whatever becomes of doorbells, workers and leases."""

import json
import threading
from typing import Any

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import undefer, undefer_group

from arena.db.models import Attempt, Match, MatchSeat, Table, TableSeat, Tournament
from arena.games.base import CHANCE
from arena.games.errors import OptionError
from arena.games.registry import game
from arena.match.record import unpack
from arena.services import fsck, matches, play, queue, sweep
from arena.services.context import Arena
from arena.services.lease import LeaseLost
from arena.services.shapes import Account
from tests import factories
from tests.cages import LocalCage, broken

NO_TIME = 10_000.0


@pytest.fixture
def cup(arena: Arena, admin: Account) -> int:
    """A running tournament of one table."""
    return factories.tournament(arena, admin, factories.field_of(arena, admin, 4))


@pytest.fixture
def table(arena: Arena, cup: int) -> int:
    """Its table."""
    return factories.table_ids(arena, cup)[0]


def state_of(arena: Arena, table_id: int) -> str:
    """The state of a table."""
    with arena.reading() as session:
        return session.get_one(Table, table_id).state


def outcomes(arena: Arena, table_id: int) -> list[str | None]:
    """How its attempts ended, in order."""
    with arena.reading() as session:
        query = select(Attempt.outcome).where(Attempt.table_id == table_id).order_by(Attempt.fence)
        return list(session.scalars(query))


def let_lease_run_out(arena: Arena, table_id: int) -> None:
    """Put the lease into the past."""
    with arena.transaction() as session:
        session.execute(update(Table).where(Table.id == table_id).values(lease_until=Table.lease_until - NO_TIME))


def result_of(arena: Arena, table_id: int) -> queue.TableResult:
    """What playing the table comes to."""
    with arena.reading() as session:
        work = play.load(session, table_id)
    return play.play_work(work, LocalCage())


def test_a_table_is_played_under_every_seating(arena: Arena, cup: int, table: int) -> None:
    """Four matches on the same boards, every bot in every seat, and a result that adds up."""
    assert factories.play_all(arena, [table]) == ["done"]

    with arena.reading() as session:
        records = [unpack(packed) for packed in session.scalars(select(Match.record).order_by(Match.seating))]
        seats = session.execute(select(MatchSeat.version_id, MatchSeat.seat)).all()
        points = session.scalars(select(TableSeat.half_points)).all()
    assert len(records) == 4
    assert all(record["boards"] == records[0]["boards"] for record in records)
    assert len(set(map(tuple, seats))) == 16
    assert sum(half or 0 for half in points) == 4 * 12  # six pairs in each of four matches, two halves each
    assert fsck.check(arena) == []


def test_a_tournament_finishes_with_its_last_table(arena: Arena, admin: Account) -> None:
    """And not before; its seed can be read from then on."""
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


def test_a_doorbell_that_rings_again_finds_nothing_to_do(arena: Arena, table: int) -> None:
    """Doubled and late doorbells are harmless."""
    assert factories.play_all(arena, [table, table, table]) == ["done", "nothing", "nothing"]

    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(Match)) == 4


def test_of_two_workers_that_claim_at_once_one_gets_the_table(arena: Arena, table: int) -> None:
    """Eight threads race; one claim."""
    ready = threading.Barrier(8)
    claims: list[queue.Claim | None] = []

    def race(number: int) -> None:
        ready.wait()
        claims.append(queue.claim(arena, table, f"worker {number}"))

    threads = [threading.Thread(target=race, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(claims) == 8
    assert [claim for claim in claims if claim] == [queue.Claim(table, 1)]


def test_a_result_under_an_old_fence_is_not_taken(arena: Arena, table: int) -> None:
    """A worker that slept past its lease cannot hand in what another one is playing."""
    late = queue.claim(arena, table, "sleeper")
    assert late
    result = result_of(arena, table)
    let_lease_run_out(arena, table)
    sweep.tick(arena)
    factories.due_now(arena)
    current = queue.claim(arena, table, "other")
    assert current

    with pytest.raises(LeaseLost):
        queue.submit(arena, late, result)
    with pytest.raises(LeaseLost):
        queue.renew(arena, late)
    queue.submit(arena, current, result)
    with pytest.raises(LeaseLost):
        queue.submit(arena, current, result)

    assert outcomes(arena, table) == ["expired", "done"]
    assert fsck.check(arena) == []


def test_a_result_is_stored_whole_or_not_at_all(arena: Arena, cup: int, table: int) -> None:
    """Where one match cannot be stored, nothing is."""
    claim = queue.claim(arena, table, "tester")
    assert claim
    good = result_of(arena, table)
    *seats, last = good.matches[3].seats
    bad = good._replace(matches=[*good.matches[:3], good.matches[3]._replace(seats=[*seats, {**last, "score": None}])])

    with pytest.raises(Exception, match=r"NOT NULL|not-null"):
        queue.submit(arena, claim, bad)

    assert state_of(arena, table) == "running"
    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(Match)) == 0
        assert session.get_one(Tournament, cup).tables_done == 0
    queue.submit(arena, claim, good)
    assert state_of(arena, table) == "done"


def test_a_renewed_lease_does_not_expire(arena: Arena, table: int) -> None:
    """Renewing moves the lease from the database's now on."""
    claim = queue.claim(arena, table, "tester")
    assert claim
    let_lease_run_out(arena, table)
    queue.renew(arena, claim)

    sweep.tick(arena)

    assert state_of(arena, table) == "running"


def test_a_lease_that_ran_out_queues_the_table_again(arena: Arena, table: int, bell: factories.Bell) -> None:
    """And as soon as it is due somebody is rung for it."""
    queue.claim(arena, table, "gone")
    let_lease_run_out(arena, table)
    bell.heard.clear()

    assert sweep.tick(arena).expired == 1

    assert state_of(arena, table) == "queued"
    assert bell.tables() == []
    factories.due_now(arena)
    sweep.tick(arena)
    assert bell.tables() == [table]


def test_after_three_attempts_the_arena_gives_up_and_nobody_loses(arena: Arena, cup: int, table: int) -> None:
    """`infra_failed` is visible, finishes the tournament, and rates nobody."""
    came_of = []
    for _ in range(4):
        came_of += factories.play_all(arena, [table], LocalCage(broken))
        factories.due_now(arena)

    assert came_of == ["fault", "fault", "fault", "nothing"]
    assert state_of(arena, table) == "infra_failed"
    sweep.tick(arena)
    with arena.reading() as session:
        tournament = session.get_one(Tournament, cup)
        assert (tournament.state, tournament.tables_done, tournament.tables_failed) == ("finished", 0, 1)
        reasons = session.scalars(select(Attempt.reason)).all()
    assert reasons == ["the zygote did not answer"] * 3
    assert fsck.check(arena) == []


def test_a_fault_of_the_arena_is_played_again_with_the_same_boards(arena: Arena, table: int) -> None:
    """The table is back in the queue, and a second attempt gives what the first would have."""
    expected = [match.record for match in result_of(arena, table).matches]

    assert factories.play_all(arena, [table], LocalCage(broken)) == ["fault"]
    factories.due_now(arena)
    assert factories.play_all(arena, [table]) == ["done"]

    with arena.reading() as session:
        assert list(session.scalars(select(Match.record).order_by(Match.seating))) == expected
    assert outcomes(arena, table) == ["fault", "done"]


def test_an_error_of_our_own_gives_the_table_back_and_is_not_hidden(arena: Arena, table: int) -> None:
    """A bug in the arena is an attempt with a reason, and an exception in the worker's log."""

    def stumble() -> None:
        raise ZeroDivisionError("over what somebody printed")

    with pytest.raises(ZeroDivisionError):
        factories.play_all(arena, [table], LocalCage(stumble))

    assert state_of(arena, table) == "queued"
    assert outcomes(arena, table) == ["fault"]
    with arena.reading() as session:  # everybody may read the reason, and its text may quote what nobody else may read
        reason = session.scalars(select(Attempt.reason)).one()
    assert reason == "an error in the arena itself (ZeroDivisionError); the worker's log says more"


def test_a_table_that_cannot_even_be_loaded_is_given_back_at_once(arena: Arena, cup: int, table: int) -> None:
    """As when a variant is no longer offered: the reason is written down, and no lease has to run out first."""
    with arena.transaction() as session:
        session.execute(update(Tournament).where(Tournament.id == cup).values(variant="no-longer-offered"))

    with pytest.raises(OptionError, match="no-longer-offered"):
        factories.play_all(arena, [table])

    with arena.reading() as session:
        assert session.get_one(Table, table).state == "queued"
        reason = session.scalars(select(Attempt.reason).where(Attempt.table_id == table)).one()
    assert reason
    assert "there is no variant 'no-longer-offered'" in reason


def test_a_faulty_bot_loses_and_the_table_is_done(arena: Arena, admin: Account) -> None:
    """Its fault is stored with what only its owner may read, whatever characters that has."""
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


def test_a_failure_is_kept_with_its_move_and_the_view_that_was_sent(arena: Arena, admin: Account) -> None:
    """The record replayed up to that move gives the seat the very same view."""
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
    """What a seat sees before the move of that index."""
    rules = game(record["game"], record["options"])
    state = rules.start()
    for _, token in record["moves"][:move]:
        while state.seat == CHANCE:
            state.deal(rules.board_from_json(state.boards, record["boards"][state.boards]))
        state.apply(next(action for action in state.legal(state.seat) if rules.token(action) == token))
    return state.view(seat)


def test_a_failure_while_loading_has_no_view(arena: Arena, admin: Account) -> None:
    """It was asked for nothing: the move at which its turn came is kept alone."""
    versions = [*factories.field_of(arena, admin, 3), factories.bot(arena, admin, "unloaded", b"1 / 0\n")]
    factories.play_all(arena, factories.table_ids(arena, factories.tournament(arena, admin, versions)))

    with arena.reading() as session:
        failed = session.scalars(
            select(MatchSeat).where(MatchSeat.fault.is_not(None)).options(undefer_group("private"))
        ).all()
        assert [(seat.view, seat.move is None) for seat in failed] == [(None, False)] * 4


@pytest.mark.parametrize("level", ["both", "one", "none"])
def test_a_match_is_stamped_with_the_cage_that_it_was_played_in(arena: Arena, cup: int, table: int, level: str) -> None:
    """Its row says it, and its record does not: equal play gives equal bytes. A tournament counts what was insecure."""
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
    """Two bots, two matches; each fills both seats of its team, and they are rated against each other."""
    versions = factories.field_of(arena, admin, 2)
    cup = factories.tournament(arena, admin, versions, "suitability-4-partners")

    factories.play_all(arena, factories.table_ids(arena, cup))

    with arena.reading() as session:
        seats = session.execute(select(MatchSeat.version_id).order_by(MatchSeat.match_id, MatchSeat.seat)).scalars()
        first, second = versions
        assert list(seats) == [first, second, first, second, second, first, second, first]
    assert fsck.check(arena) == []


def test_several_sets_of_boards_are_different_boards(arena: Arena, admin: Account) -> None:
    """With three sets a table has twelve matches, and each set has boards of its own."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), boards=3)
    factories.play_all(arena, factories.table_ids(arena, cup))

    with arena.reading() as session:
        records = [unpack(packed) for packed in session.scalars(select(Match.record).order_by(Match.seating))]
    assert [str(record["boards"]) for record in records[::4]] == [str(record["boards"]) for record in records[3::4]]
    assert len({str(record["boards"]) for record in records}) == 3
    assert fsck.check(arena) == []
