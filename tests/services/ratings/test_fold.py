"""The fold of results into ratings: table order, late results, rebuilds, and the audit."""

import math
import shutil
from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, update

from arena.db.models import CurrentRating, RatingEvent, Table, TableSeat
from arena.ratings import defaults
from arena.ratings import fold as pure_fold
from arena.services.base.access import Account
from arena.services.base.context import Arena, open_arena
from arena.services.queue import claims, leases
from arena.services.ratings import audit, fold
from arena.services.ratings.pages import history, leaderboard
from arena.services.ratings.results import results
from arena.services.tables import pages as table_pages
from tests import factories

VARIANT = "suitability-4"


def finish(arena: Arena, table_id: int, ranks: Sequence[int], late: bool = True) -> None:
    """Submit a result without playing, and fold; if it is late, fold it only if `late`."""
    claim = claims.claim(arena, table_id, "tester")
    assert claim
    claims.submit(arena, claim, claims.TableResult([], [0] * 4, ranks, [0] * 4))
    fold.catch_up(arena, VARIANT, most=math.inf if late else 0)


def give_up(arena: Arena, table_id: int) -> None:
    """Fail the table's attempts until the arena gives up."""
    for _ in range(leases.ATTEMPTS):
        factories.due_now(arena)
        claim = claims.claim(arena, table_id, "tester")
        assert claim
        claims.give_back(arena, claim, "failed by the test")


def rated(arena: Arena) -> dict[int, tuple[float, float, int]]:
    """Return the current ratings by version: mu, sigma, tables."""
    with arena.reading() as session:
        return {row.version_id: (row.mu, row.sigma, row.tables) for row in session.scalars(select(CurrentRating))}


def from_scratch(arena: Arena) -> dict[int, tuple[float, float]]:
    """Return mu and sigma by version, from the pure fold of all results in table order."""
    with arena.reading() as session:
        changes = pure_fold(results(session, VARIANT, 0), defaults(VARIANT))
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
    give_up(arena, first)
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
    points = history(arena, versions[0], VARIANT)
    assert [point.table_id for point in points] == [early[0], late[0]]
    assert (points[-1].mu, points[-1].sigma) == rated(arena)[versions[0]][:2]


def test_new_results_do_not_wait_for_late_ones(arena: Arena, admin: Account) -> None:
    """New results are rated immediately while late ones are deferred, and the final ratings are the same."""
    versions = factories.field_of(arena, admin, 4)
    early = factories.table_ids(arena, factories.tournament(arena, admin, versions))
    late = factories.table_ids(arena, factories.tournament(arena, admin, versions, rounds=2))

    finish(arena, late[0], [1, 2, 3, 4])
    finish(arena, early[0], [4, 1, 2, 3], late=False)
    finish(arena, late[1], [1, 2, 3, 4], late=False)
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


def test_leaderboard_is_sorted_by_conservative_rating(arena: Arena, admin: Account) -> None:
    """Bots are sorted by mu - 3 sigma, best first, with ranks from 1."""
    cup = factories.tournament(arena, admin, factories.field_of(arena, admin, 4))
    table = factories.table_ids(arena, cup)[0]
    finish(arena, table, [2, 1, 3, 4])

    rows = leaderboard(arena, VARIANT)

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
    late=st.lists(st.booleans(), min_size=9, max_size=9),
)
def test_any_order_of_finishing_gives_the_same_bits(
    tmp_path: Path,
    sqlite_template: Path,
    order: list[int],
    ranks: list[list[int]],
    failed: set[int],
    late: list[bool],
) -> None:
    """Nine tables of three concurrent tournaments finish in any order; some fail, and some folds are deferred."""
    shutil.copy(sqlite_template, tmp_path / "arena.db")
    arena = open_arena(factories.settings_in(tmp_path))
    admin = factories.user(arena, "organiser", admin=True)
    versions = factories.field_of(arena, admin, 6)
    tables: list[int] = []
    for start in range(3):
        tables += factories.table_ids(arena, factories.tournament(arena, admin, versions[start : start + 4], rounds=3))

    for number in order:
        if number in failed:
            give_up(arena, tables[number])
            fold.catch_up(arena, VARIANT)
        else:
            finish(arena, tables[number], ranks[number], late[number])
    fold.catch_up(arena, VARIANT)

    with arena.reading() as session:
        done = session.scalars(select(Table.id).where(Table.state == "done").order_by(Table.id)).all()
        assert [result.table for result in results(session, VARIANT, 0)] == list(done)
        assert session.scalar(
            select(func.count()).select_from(TableSeat).where(TableSeat.rank.is_not(None))
        ) == 4 * len(done)
    assert {version: rating[:2] for version, rating in rated(arena).items()} == from_scratch(arena)
    arena.close()
