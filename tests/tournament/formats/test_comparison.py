"""Comparisons: A and B at every table, in a field that takes turns."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.formats.comparison import A, B, comparison


@given(places=st.integers(2, 8), more=st.integers(0, 6), rounds=st.integers(1, 3))
def test_everybody_comes_equally_often_and_in_both_orders(places: int, more: int, rounds: int) -> None:
    """Over two rounds of the field for each of its companies."""
    field = range(2, places + more)
    tables = comparison(field, places, 0, 2 * rounds * max(1, len(field)))

    assert all(len(set(table)) == places for table in tables)
    assert Counter(table[:2] for table in tables) == dict.fromkeys([(A, B), (B, A)], len(tables) // 2)
    seated = Counter(entry for table in tables for entry in table[2:])
    assert len({seated[entry] for entry in field}) <= 1


@given(start=st.integers(0, 30), wanted=st.integers(0, 20))
def test_tables_are_the_same_however_many_are_made_at_once(start: int, wanted: int) -> None:
    """A table depends on its number alone."""
    assert comparison(range(2, 9), 4, start, wanted) == comparison(range(2, 9), 4, 0, start + wanted)[start:]
