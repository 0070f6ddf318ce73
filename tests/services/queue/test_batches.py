"""Batches: short tables that one worker claims, plays and submits together."""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event, select

from arena.db.models import Attempt, CurrentRating, Match, Table, Tournament
from arena.games.errors import ArenaFault
from arena.services.base.access import Account
from arena.services.base.context import Arena
from arena.services.integrity import fsck
from arena.services.play.table import TableResult, Work, play_work
from arena.services.queue import announcements, batches, claims
from arena.services.queue.batches import Batch
from arena.services.queue.keeper import Keeper
from arena.services.queue.leases import LeaseLost
from arena.services.ratings import fold
from arena.services.tournaments.withdrawals import withdraw
from arena.services.work import play
from arena.services.work.outcomes import Outcome
from tests import factories
from tests.cages import LocalCage
from tests.services.work.test_play import let_lease_run_out, outcomes, result_of, state_of

VARIANT = "suitability-2"
"""Variant with fast matches."""


@pytest.fixture
def ids(arena: Arena, admin: Account) -> list[int]:
    """Start a tournament of six tables; return their IDs."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), VARIANT)
    return factories.table_ids(arena, cup)


def play_together(arena: Arena, ids: list[int], cage: LocalCage | None = None, **options: Any) -> str:
    """Play these tables as one batch, and return the outcome."""
    return play.play_tables(arena, ids, cage or LocalCage(), "tester", **options)


def at_player(number: int, act: Callable[[], None]) -> LocalCage:
    """Return a cage that calls `act` before it starts the player with this number, counted from 1."""
    started = Counter[str]()

    def before() -> None:
        started["players"] += 1
        if started["players"] == number:
            act()

    return LocalCage(before)


def fail() -> None:
    """Fail like a broken machine."""
    raise ArenaFault("the zygote did not answer")


@contextmanager
def counted(arena: Arena) -> Iterator[Counter[str]]:
    """Yield numbers of statements, commits, and executed row changes."""
    numbers: Counter[str] = Counter()
    engine = arena.database.engine

    def note(_: Any, cursor: Any, statement: str, parameters: Any, *more: Any) -> None:
        many = more[-1]
        numbers["statements"] += 1
        upserted = "ON CONFLICT" in statement and "INTO rating_events" not in statement  # whose rows are new here
        if statement.startswith("UPDATE") or upserted:
            numbers["updates"] += len(parameters) if many else max(0, cursor.rowcount)

    def commit(_: Any) -> None:
        numbers["commits"] += 1

    event.listen(engine, "after_cursor_execute", note)
    event.listen(engine, "commit", commit)
    yield numbers
    event.remove(engine, "after_cursor_execute", note)
    event.remove(engine, "commit", commit)


def test_batch_costs_little_more_than_one_table(arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """16 tables of a tournament need a fifth of the commits and statements of 16 single tables, and fewer updates."""
    monkeypatch.setattr(batches, "HOLD", math.inf)  # a busy machine would divide the batch
    monkeypatch.setattr(fold, "FOLD_EVERY", 0.0)  # an idle one would fold fewer times
    versions = factories.field_of(arena, admin, 6)
    cup = factories.tournament(arena, admin, versions, VARIANT, rounds=3)
    ids = factories.table_ids(arena, cup)
    for table in ids[:16]:
        play_together(arena, [table])  # pairs that have met are updated

    with counted(arena) as alone:
        for table in ids[16:20]:
            play_together(arena, [table])
    with counted(arena) as together:
        play_together(arena, ids[20:36])

    assert (alone["commits"], together["commits"]) == (4 * 3, 3)  # claim, results, ratings
    assert together["statements"] / 16 <= alone["statements"] / 4 / 5
    assert together["updates"] / 16 <= alone["updates"] / 4 / 2  # those of the table itself remain


def test_batch_gives_the_results_of_single_tables(arena: Arena, ids: list[int]) -> None:
    """Records and ratings do not depend on how tables are claimed and submitted."""
    expected = [match.record for table in ids for match in result_of(arena, table).matches]

    assert play_together(arena, ids) == Outcome.DONE

    with arena.reading() as session:
        records = session.scalars(select(Match.record).order_by(Match.table_id, Match.seating)).all()
        rated = session.scalars(select(CurrentRating.tables)).all()
    assert list(records) == expected
    assert rated == [3, 3, 3, 3]
    assert fsck.check(arena) == []


def test_failure_costs_only_the_table_at_hand(arena: Arena, ids: list[int]) -> None:
    """Earlier tables of the batch are stored, and later ones are queued without a failed attempt."""
    assert play_together(arena, ids[:3], at_player(5, fail)) == Outcome.FAULT

    assert [state_of(arena, table) for table in ids[:3]] == ["done", "queued", "queued"]
    assert [outcomes(arena, table) for table in ids[:3]] == [["done"], ["fault"], ["returned"]]
    with arena.reading() as session:
        assert [session.get_one(Table, table).attempts for table in ids[:3]] == [1, 1, 0]
    assert play_together(arena, ids[2:3]) == Outcome.DONE
    assert fsck.check(arena) == []


def test_lost_claim_ends_batch(arena: Arena, ids: list[int]) -> None:
    """Tables that have a result are stored, the lost one is not, and the others wait for another worker."""

    def lose() -> None:
        let_lease_run_out(arena, ids[2])
        claims.expire(arena)
        raise LeaseLost("noticed by the keeper")

    assert play_together(arena, ids[:4], at_player(5, lose)) == Outcome.LOST

    assert [outcomes(arena, table) for table in ids[:4]] == [["done"], ["returned"], ["expired"], ["returned"]]
    assert fsck.check(arena) == []


def test_renewal_notices_any_lost_claim(arena: Arena, ids: list[int]) -> None:
    """A batch renews all its leases together, and those of tables already given back no more."""
    batch = Batch(arena, claims.claim_all(arena, ids[:3], "tester"))
    next(iter(batch))
    for table in ids[:3]:
        let_lease_run_out(arena, table)
    batch.renew()
    assert claims.expire(arena) == 0

    batch.hand_back()
    batch.renew()
    let_lease_run_out(arena, ids[0])
    claims.expire(arena)
    with pytest.raises(LeaseLost, match=rf"tables {ids[0]}\b"):
        batch.renew()


def test_bad_result_costs_no_other_table_its_own(arena: Arena, ids: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """If results cannot be stored together, each is stored by itself, and the bad one is given back."""
    played = play_work
    changes: Iterator[dict[str, Any]] = iter([{}, {"ranks": []}, {}])

    def spoil(work: Work, *more: Any) -> TableResult:
        return played(work, *more)._replace(**next(changes))

    monkeypatch.setattr(play, "play_work", spoil)

    assert play_together(arena, ids[:3]) == Outcome.FAULT

    assert [outcomes(arena, table) for table in ids[:3]] == [["done"], ["fault"], ["done"]]
    assert fsck.check(arena) == []


def test_quick_moves_cost_nothing_beyond_their_tables(
    arena: Arena, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leases, urgent work and sweeps are looked at by time, not at each of the hundreds of moves of a second."""
    looks: list[Keeper] = []
    monkeypatch.setattr(play, "BEAT_EVERY", 3600.0)

    assert play_together(arena, ids[:3], between_moves=looks.append) == Outcome.DONE

    assert len(looks) == 1


def test_long_batch_stores_results_and_hands_back_the_rest(
    arena: Arena, ids: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a batch takes longer than expected, its worker keeps only the table at hand."""
    seen: list[list[str]] = []

    def look(_: Keeper) -> None:
        seen.append([state_of(arena, table) for table in ids[:3]])
        if seen[-1] == ["running"] * 3 and len(seen) > 20:
            monkeypatch.setattr(batches, "HOLD", 0.0)

    monkeypatch.setattr(batches, "HOLD", 3600.0)
    monkeypatch.setattr(play, "BEAT_EVERY", 0.0)

    assert play_together(arena, ids[:3], between_moves=look) == Outcome.DONE

    assert seen[0] == ["running"] * 3
    assert seen[-1][-1] == "queued"
    assert sorted({outcomes(arena, table)[0] or "" for table in ids[:3]}) == ["done", "returned"]
    assert fsck.check(arena) == []


def test_withdrawal_during_batch(arena: Arena, admin: Account, ids: list[int]) -> None:
    """The tables of a bot that is withdrawn meanwhile are cancelled, and the others are played in the end."""
    with arena.reading() as session:
        cup = session.get_one(Table, ids[0]).tournament_id

    play_together(arena, ids, at_player(3, lambda: withdraw(arena, admin, cup, 1, "its author's request")))
    play_together(arena, ids)

    with arena.reading() as session:
        tournament = session.get_one(Tournament, cup)
        assert session.scalars(select(Attempt.table_id).where(Attempt.ended.is_(None))).all() == []
    assert (tournament.state, tournament.tables_done + tournament.tables_cancelled) == ("finished", len(ids))
    assert fsck.check(arena) == []


def test_doorbells_name_as_many_tables_as_last_a_second(
    arena: Arena, admin: Account, bell: factories.Bell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables of a doorbell are of one tournament, and leave several doorbells to each worker."""
    versions = factories.field_of(arena, admin, 12)
    cups = [factories.tournament(arena, admin, versions) for _ in range(2)]
    first, second = (factories.table_ids(arena, cup) for cup in cups)
    assert {len(rung.ids) for rung in bell.heard} == {1}
    pace = 10.0
    monkeypatch.setattr(announcements, "_pace", lambda session: pace)
    claims.claim(arena, first[100], "one")
    claims.claim(arena, second[10], "two")
    bell.heard.clear()

    announcements.announce_more(arena)

    sizes = [len(rung.ids) for rung in bell.heard if rung.task == "play_table"]
    assert max(sizes) == pace / 2
    assert len(bell.tables()) == len(set(bell.tables())) == sum(sizes)
    assert all(set(rung.ids) <= set(first) or set(rung.ids) <= set(second) for rung in bell.heard if rung.id)

    bell.heard.clear()
    monkeypatch.setattr(announcements, "MAX_BATCH", 8)
    pace = 100.0
    announcements.announce_more(arena)
    assert max(len(rung.ids) for rung in bell.heard) == 8
