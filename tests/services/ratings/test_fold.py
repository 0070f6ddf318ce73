"""The fold of results into ratings: table order, late results, rebuilds, and the audit."""

import math
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, insert, select, update

from arena.db.clock import now
from arena.db.models import CurrentRating, RatingCursor, RatingEvent, Table, TableSeat, Tournament
from arena.ratings import defaults
from arena.ratings import fold as pure_fold
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.play.table import TableResult
from arena.services.queue import claims
from arena.services.ratings import audit, fold, results
from arena.services.ratings.pages import history
from arena.services.tables import pages as table_pages
from arena.services.tournaments.rejudgements import rejudge
from tests import factories
from tests.costs import measured

VARIANT = "suitability-4"
ONE_TABLE = 8
"""Seats to read for a chunk of one table of four."""


def submit(arena: Arena, table_id: int, ranks: Sequence[int] = (1, 2, 3, 4)) -> None:
    """Submit a result without playing."""
    claim = claims.claim(arena, table_id, "tester")
    assert claim
    claims.submit(arena, claim, TableResult([], [0] * 4, ranks, [0] * 4))


def finish(arena: Arena, table_id: int, ranks: Sequence[int] = (1, 2, 3, 4), most: float = math.inf) -> None:
    """Submit a result, and fold it and at most this many late results."""
    submit(arena, table_id, ranks)
    fold.catch_up(arena, VARIANT, most)


def outdated(arena: Arena) -> int | None:
    """Return the ID from which ratings are outdated."""
    return audit.outdated(arena).get(VARIANT)


def rated(arena: Arena) -> dict[int, tuple[float, float, int]]:
    """Return the current ratings by version: mu, sigma, tables."""
    with arena.reading() as session:
        return {row.version_id: (row.mu, row.sigma, row.tables) for row in session.scalars(select(CurrentRating))}


def rated_tables(arena: Arena, version_id: int) -> list[int]:
    """Return the IDs of the tables after which a version has a rating."""
    with arena.reading() as session:
        found = select(RatingEvent.table_id).where(RatingEvent.version_id == version_id)
        return list(session.scalars(found.order_by(RatingEvent.table_id)))


def from_scratch(arena: Arena) -> dict[int, tuple[float, float]]:
    """Return mu and sigma by version, from the pure fold of all results in table order."""
    with arena.reading() as session:
        changes = pure_fold(results.results(session, VARIANT, 0), defaults(VARIANT))
        return {change.version: tuple(change.rating) for change in changes}  # type: ignore[misc]


def test_only_tables_before_the_first_unfinished_one_count(arena: Arena, admin: Account) -> None:
    """A result waits until all earlier tables of its tournament are settled."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=3)
    first, second, third = factories.table_ids(arena, cup)

    finish(arena, second, [1, 2, 3, 4])
    assert rated(arena) == {}
    finish(arena, first, [4, 3, 2, 1])
    assert {tables for _, _, tables in rated(arena).values()} == {2}
    finish(arena, third, [1, 1, 1, 1])
    assert {tables for _, _, tables in rated(arena).values()} == {3}


def test_failed_table_is_not_rated_and_does_not_block_the_fold(arena: Arena, admin: Account) -> None:
    """The fold skips it and rates the next table."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=2)
    first, second = factories.table_ids(arena, cup)

    finish(arena, second, [1, 2, 3, 4])
    factories.give_up(arena, first)
    fold.fold_all(arena)

    assert {tables for _, _, tables in rated(arena).values()} == {1}


def test_late_result_folds_all_later_tables_again(arena: Arena, admin: Account) -> None:
    """Their events are replaced, so there is one event per rated seat."""
    versions = factories.field_of(arena, admin, 4)
    early = factories.table_ids(arena, factories.tournament(arena, admin, versions))
    late = factories.table_ids(arena, factories.tournament(arena, admin, versions))

    finish(arena, late[0], [1, 2, 3, 4])
    alone = rated(arena)
    finish(arena, early[0], [4, 1, 2, 3])

    assert {version: rating[:2] for version, rating in rated(arena).items()} == from_scratch(arena)
    assert rated(arena) != alone
    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(RatingEvent)) == 8
    (points,) = (one.points for one in history(arena, VARIANT, version_id=versions[0]))
    assert rated_tables(arena, versions[0]) == [early[0], late[0]]
    assert [point.tables for point in points] == [1, 2]
    assert (points[-1].mu, points[-1].sigma) == rated(arena)[versions[0]][:2]


def test_new_results_do_not_wait_for_late_ones(arena: Arena, admin: Account) -> None:
    """New results are rated immediately while late ones are deferred, and the final ratings are the same."""
    versions = factories.field_of(arena, admin, 4)
    early = factories.table_ids(arena, factories.tournament(arena, admin, versions))
    late = factories.table_ids(arena, factories.tournament(arena, admin, versions, rounds=2))

    finish(arena, late[0], [1, 2, 3, 4])
    finish(arena, early[0], [4, 1, 2, 3], most=0)
    finish(arena, late[1], [1, 2, 3, 4], most=0)
    assert {tables for _, _, tables in rated(arena).values()} == {2}

    assert fold.fold_all(arena) == 3
    assert {version: rating[:2] for version, rating in rated(arena).items()} == from_scratch(arena)


def test_rebuilding_gives_the_same_bits(arena: Arena, admin: Account) -> None:
    """The audit finds no difference before or after."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    factories.play_all(arena, factories.table_ids(arena, cup))
    before = rated(arena)

    assert audit.check_ratings(arena, VARIANT) == []
    assert fold.rebuild(arena, VARIANT) == 5
    assert rated(arena) == before
    assert audit.check_ratings(arena, VARIANT) == []


def test_audit_finds_a_changed_rating_and_rebuild_repairs_it(arena: Arena, admin: Account) -> None:
    """A difference in the last bits of a float is enough."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    factories.play_all(arena, factories.table_ids(arena, cup))
    with arena.transaction() as session:
        session.execute(update(CurrentRating).values(mu=CurrentRating.mu + 1e-14))

    assert len(audit.check_ratings(arena, VARIANT)) >= 1
    fold.rebuild(arena, VARIANT)
    assert audit.check_ratings(arena, VARIANT) == []


def test_results_rated_during_a_refold_are_rated_again(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new result does not wait for the refold, which reaches it in the end."""
    monkeypatch.setattr(results, "SEATS", ONE_TABLE)
    versions = factories.field_of(arena, admin, 4)
    early = factories.table_ids(arena, factories.tournament(arena, admin, versions))
    later = factories.table_ids(arena, factories.tournament(arena, admin, versions, rounds=4))
    for table in later[:3]:
        finish(arena, table)

    finish(arena, early[0], [4, 1, 2, 3], most=1)
    assert outdated(arena) == later[0]
    finish(arena, later[3], [2, 1, 3, 4], most=0)
    assert outdated(arena) == later[0]
    assert rated_tables(arena, versions[0])[-1] == later[3]
    assert ratings_are_consistent(arena)

    assert fold.catch_up(arena, VARIANT) == 4
    assert outdated(arena) is None
    assert {version: rating[:2] for version, rating in rated(arena).items()} == from_scratch(arena)


def test_late_results_are_folded_at_the_pace_of_the_sweep(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sweep folds as many tables again as the time since the last one allows."""
    monkeypatch.setattr(results, "SEATS", ONE_TABLE)
    monkeypatch.setattr(fold, "REFOLD_PACE", 0.3)
    versions = factories.field_of(arena, admin, 4)
    early = factories.table_ids(arena, factories.tournament(arena, admin, versions))
    later = factories.table_ids(arena, factories.tournament(arena, admin, versions, rounds=5))
    for table in later:
        finish(arena, table)
    submit(arena, early[0])

    assert fold.fold_all(arena) == 3
    assert fold.fold_all(arena) == 1
    assert outdated(arena) == later[3]
    assert fold.unfinished(arena) == [VARIANT]

    with arena.transaction() as session:
        session.execute(update(RatingCursor).values(refolded=0))
    assert fold.fold_all(arena) == 2
    assert fold.unfinished(arena) == []


def test_refold_after_set_aside_results_continues_in_the_sweep(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rejudgement folds the first tables again; versions without any other result lose their rating at the end."""
    monkeypatch.setattr(results, "SEATS", ONE_TABLE)
    first = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    others = [factories.bot(arena, admin, f"other-{number}") for number in range(4)]
    second = factories.tournament(arena, admin, others, rounds=3)
    for table in [*factories.table_ids(arena, first), *factories.table_ids(arena, second)]:
        finish(arena, table)

    rejudge(arena, admin, second, "a broken disk")
    assert set(others).isdisjoint(rated(arena))
    assert len(rated(arena)) == 4

    rejudge(arena, admin, first, "a broken disk")
    assert rated(arena) == {}
    assert ratings_are_consistent(arena)


def test_results_share_a_fold_while_their_tournament_plays(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first and the last of ten results within a moment are folded at once, the last with all others."""
    monkeypatch.setattr(fold, "FOLD_EVERY", 3600.0)
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=10)
    folded = []
    for table in factories.table_ids(arena, cup):
        submit(arena, table)
        folded.append(fold.fold(arena, VARIANT, cup))

    assert folded == [1, *[0] * 8, 9]
    assert {version: rating[:2] for version, rating in rated(arena).items()} == from_scratch(arena)


def test_sweep_rates_results_that_waited_to_share_a_fold(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others do not wait longer, even if no other result comes."""
    monkeypatch.setattr(fold, "FOLD_EVERY", 3600.0)
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=3)
    first, second, _ = factories.table_ids(arena, cup)
    submit(arena, first)
    assert fold.fold(arena, VARIANT, cup) == 1
    submit(arena, second)
    assert fold.fold(arena, VARIANT, cup) == 0

    assert fold.fold_all(arena) == 1


def test_urgent_results_do_not_wait_to_share_a_fold(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An author who has just uploaded a bot sees its first rating immediately."""
    monkeypatch.setattr(fold, "FOLD_EVERY", 3600.0)
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=3, priority=1)
    for table in factories.table_ids(arena, cup):
        submit(arena, table)
        assert fold.fold(arena, VARIANT, cup) == 1


def test_clock_that_is_set_back_does_not_delay_ratings(arena: Arena, admin: Account) -> None:
    """A time of the last fold that lies in the future is ignored."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=3)
    first, second, _ = factories.table_ids(arena, cup)
    finish(arena, first)
    with arena.transaction() as session:
        session.execute(update(RatingCursor).values(folded=now() + 3600, refolded=now() + 3600))
    submit(arena, second)

    assert fold.fold(arena, VARIANT, cup) == 1


def test_two_tournaments_at_a_time_keep_one_event_per_rated_seat(arena: Arena, admin: Account) -> None:
    """Late results replace events instead of adding to them."""
    versions = factories.field_of(arena, admin, 4)
    cups = [factories.tournament(arena, admin, versions, rounds=6) for _ in range(2)]
    for pair in zip(*(factories.table_ids(arena, cup) for cup in cups), strict=True):
        for cup, table in zip(cups, pair, strict=True):
            submit(arena, table)
            fold.fold(arena, VARIANT, cup)
        fold.fold_all(arena)

    with arena.reading() as session:
        assert session.scalar(select(func.count()).select_from(RatingEvent)) == 4 * 12


def test_open_tournaments_do_not_add_to_the_cost_of_a_fold(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A result's fold executes as many statements and reads as many rows beside a hundred open tournaments."""
    monkeypatch.setattr(fold, "FOLD_EVERY", 0.0)
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4), rounds=8)
    first, second, third, *_ = factories.table_ids(arena, cup)
    costs = []
    finish(arena, first)
    for table in (second, third):
        submit(arena, table)
        with measured(arena) as cost:
            assert fold.fold(arena, VARIANT, cup) == 1
        costs.append(cost)
        copy_tournament(arena, cup, 99)

    assert costs[0].statements == costs[1].statements <= 20
    assert costs[0].writes == costs[1].writes == 1
    assert costs[1].steps <= 1.1 * costs[0].steps


def test_history_does_not_add_to_the_cost_of_a_transaction(
    arena: Arena, admin: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A late result is folded in transactions that read as many rows after 60 later tables as after 20."""
    monkeypatch.setattr(results, "SEATS", 5 * ONE_TABLE)
    versions = factories.field_of(arena, admin, 4)
    early = factories.table_ids(arena, factories.tournament(arena, admin, versions, rounds=2))
    later = factories.table_ids(arena, factories.tournament(arena, admin, versions, rounds=60))
    costs = []
    for late, played in zip(early, (later[:20], later[20:]), strict=True):
        for table in played:
            submit(arena, table)
        fold.catch_up(arena, VARIANT)
        submit(arena, late)
        with measured(arena) as cost:
            assert fold._fold_next(arena, VARIANT) == 9
        costs.append(cost)
        fold.catch_up(arena, VARIANT)

    assert costs[0].statements == costs[1].statements <= 20
    assert costs[1].steps <= 1.2 * costs[0].steps


def copy_tournament(arena: Arena, cup: int, count: int) -> None:
    """Add copies of a running tournament with a waiting table each."""
    with arena.transaction() as session:
        row = dict(session.execute(select(Tournament.__table__).where(Tournament.id == cup)).one()._mapping)
        del row["id"]
        waiting = row | {"folded": 0, "tables_total": 1, "tables_done": 0, "results": 0}
        ids = [session.scalars(insert(Tournament).values(waiting).returning(Tournament.id)).one() for _ in range(count)]
        session.execute(insert(Table), [{"tournament_id": tournament, "number": 0} for tournament in ids])


def test_rebuild_repairs_the_cursor(arena: Arena, admin: Account) -> None:
    """Wrong marks and stray ratings are repaired as well."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 5))
    tables = factories.table_ids(arena, cup)
    factories.play_all(arena, tables[:3])
    before = rated(arena)
    stranger = factories.bot(arena, admin, "stranger")
    rating = {"variant": VARIANT, "version_id": stranger, "mu": 1.0, "sigma": 1.0, "tables": 1, "matches": 1}
    with arena.transaction() as session:
        session.add(CurrentRating(**rating))
        session.execute(update(RatingCursor).values(last_table=tables[1], due=None))
        session.execute(update(Tournament).values(folded=1))
    assert len(audit.check_ratings(arena, VARIANT)) >= 1

    assert fold.rebuild(arena, VARIANT) == 3

    assert rated(arena) == before
    assert audit.check_ratings(arena, VARIANT) == []
    with arena.reading() as session:
        assert session.scalar(select(RatingCursor.last_table)) == tables[2]


def test_leaderboard_is_sorted_by_conservative_rating(arena: Arena, admin: Account) -> None:
    """Bots are sorted by mu - 3 sigma, best first, with ranks from 1."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    table = factories.table_ids(arena, cup)[0]
    finish(arena, table, [2, 1, 3, 4])

    rows = factories.leaderboard(arena, VARIANT)

    places = [place.bot for place in table_pages.table_page(arena, table).places]
    assert [row.bot for row in rows] == [places[1], places[0], *places[2:]]
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert all(row.conservative == row.mu - 3 * row.sigma and row.provisional for row in rows)


ORDERS = st.permutations(range(9))
RANKS = st.lists(st.lists(st.integers(1, 4), min_size=4, max_size=4), min_size=9, max_size=9)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    order=ORDERS,
    ranks=RANKS,
    failed=st.sets(st.integers(0, 8), max_size=2),
    most=st.lists(st.sampled_from([0, 1, 2, math.inf]), min_size=9, max_size=9),
)
def test_any_order_of_finishing_gives_the_same_bits(
    tmp_path: Path,
    sqlite_template: Path,
    monkeypatch: pytest.MonkeyPatch,
    order: list[int],
    ranks: list[list[int]],
    failed: set[int],
    most: list[float],
) -> None:
    """Nine tables of three concurrent tournaments finish in any order; some fail, and some folds are interrupted."""
    monkeypatch.setattr(results, "SEATS", ONE_TABLE)
    shutil.copy(sqlite_template, tmp_path / "arena.db")
    arena = open_arena(factories.settings_in(tmp_path))
    admin = factories.user(arena, "organiser", admin=True)
    versions = factories.field_of(arena, admin, 6)
    tables: list[int] = []
    for start in range(3):
        tables += factories.table_ids(arena, factories.tournament(arena, admin, versions[start : start + 4], rounds=3))

    for number in order:
        if number in failed:
            factories.give_up(arena, tables[number])
            fold.catch_up(arena, VARIANT, most[number])
        else:
            finish(arena, tables[number], ranks[number], most[number])
        assert ratings_are_consistent(arena)
    fold.catch_up(arena, VARIANT)

    with arena.reading() as session:
        done = session.scalars(select(Table.id).where(Table.state == "done").order_by(Table.id)).all()
        assert [result.table for result in results.results(session, VARIANT, 0)] == list(done)
        assert session.scalar(
            select(func.count()).select_from(TableSeat).where(TableSeat.rank.is_not(None))
        ) == 4 * len(done)
    assert outdated(arena) is None
    assert ratings_are_consistent(arena)
    assert {version: rating[:2] for version, rating in rated(arena).items()} == from_scratch(arena)
    arena.close()


def ratings_are_consistent(arena: Arena) -> bool:
    """Return whether events are exact up to the cursor, and current ratings are those of the last events."""
    end = outdated(arena) or sys.maxsize
    with arena.reading() as session:
        changes = list(pure_fold(results.results(session, VARIANT, 0), defaults(VARIANT)))
        events = session.scalars(select(RatingEvent).order_by(RatingEvent.table_id)).all()
        current = session.scalars(select(CurrentRating)).all()
    exact = {(change.result.table, change.version, *change.rating) for change in changes if change.result.table < end}
    stored = {(event.table_id, event.version_id, event.mu, event.sigma) for event in events if event.table_id < end}
    last = {event.version_id: (event.mu, event.sigma, event.tables, event.matches) for event in events}
    shown = {row.version_id: (row.mu, row.sigma, row.tables, row.matches) for row in current}
    return exact == stored and last == shown
