"""The complete round robin."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.formats.complete import complete, complete_size


@given(entries=st.integers(0, 9), places=st.integers(1, 6), rounds=st.integers(1, 3))
def test_a_round_robin_has_every_combination_once_a_round(entries: int, places: int, rounds: int) -> None:
    """In the same order each time, and as many as was said before."""
    tables = list(complete(entries, places, rounds))

    assert Counter(tables) == dict.fromkeys(combinations(range(entries), places), rounds)
    assert len(tables) == complete_size(entries, places, rounds)
    assert tables == sorted(tables[: len(tables) // rounds]) * rounds


@given(entries=st.integers(2, 9), places=st.integers(2, 6))
def test_every_pair_meets_equally_often(entries: int, places: int) -> None:
    """Where there are tables at all."""
    meetings = Counter(pair for table in complete(entries, places) for pair in combinations(table, 2))

    assert len(set(meetings.values())) <= 1


def test_too_few_entries_make_no_table() -> None:
    """Three entries for four places."""
    assert list(complete(3, 4)) == []
