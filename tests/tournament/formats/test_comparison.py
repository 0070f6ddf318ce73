"""Comparison."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.formats.comparison import (
    LOOK_EVERY,
    MIN_TABLES,
    WAITING,
    A,
    B,
    fewest_tables,
    is_due,
    tables,
    wanted,
)


@given(places=st.integers(2, 8), more=st.integers(0, 6), rounds=st.integers(1, 3))
def test_field_takes_turns(places: int, more: int, rounds: int) -> None:
    """A and B sit at every table, and all others sit equally often."""
    field = range(2, places + more)
    made = tables(field, places, 0, rounds * max(1, len(field)))

    assert all(len(set(table)) == places for table in made)
    assert {table[:2] for table in made} == {(A, B)}
    seated = Counter(entry for table in made for entry in table[2:])
    assert len({seated[entry] for entry in field}) <= 1


def test_small_leads_need_more_tables() -> None:
    """The least limit is what a clear answer needs, and never below the least of all comparisons."""
    assert fewest_tables(0.01) > fewest_tables(0.05) > MIN_TABLES == fewest_tables(0.5)


def test_companies_go_round_the_field() -> None:
    """Each table continues after the last entry of the table before."""
    assert tables(range(2, 7), 4, 0, 3) == [(0, 1, 2, 3), (0, 1, 4, 5), (0, 1, 6, 2)]
    assert tables(range(2, 7), 4, 1, 1) == [(0, 1, 4, 5)]
    assert tables([], 2, 0, 2) == [(0, 1)] * 2


@given(start=st.integers(0, 30), count=st.integers(0, 20))
def test_tables_do_not_depend_on_batches(start: int, count: int) -> None:
    """A table depends only on its number."""
    assert tables(range(2, 9), 4, start, count) == tables(range(2, 9), 4, 0, start + count)[start:]


def test_test_runs_after_some_tables_or_when_few_wait() -> None:
    """Running it after every table would take too long; with few tables waiting, workers might run out of them."""
    assert (LOOK_EVERY, WAITING) == (2, 8)
    assert [is_due(settled, WAITING) for settled in (0, 1, 2, 3)] == [True, False, True, False]
    assert [is_due(1, unsettled) for unsettled in (WAITING // 2, WAITING // 2 + 1)] == [True, False]


def test_no_more_tables_are_made_than_the_test_can_use() -> None:
    """A few wait at a time; tables that fail are replaced, up to twice the number that the test may take."""
    assert wanted(made=0, unsettled=0, played=0, most=150) == WAITING
    assert wanted(made=20, unsettled=3, played=17, most=150) == WAITING - 3
    assert wanted(made=148, unsettled=3, played=145, most=150) == 2
    assert wanted(made=299, unsettled=0, played=100, most=150) == 1
    assert wanted(made=300, unsettled=0, played=100, most=150) == 0
    assert wanted(made=160, unsettled=8, played=145, most=150) == 0
