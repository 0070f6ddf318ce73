"""Gauntlet."""

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.formats.base import StageSize
from arena.tournament.formats.gauntlet import cost, size, tables


def test_first_entry_plays_each_other_entry_once_per_round() -> None:
    """With two places a round is one table per opponent."""
    assert list(tables(4, 2)) == [(0, 1), (0, 2), (0, 3)]
    assert list(tables(3, 2, rounds=2)) == [(0, 1), (0, 2), (0, 2), (0, 1)]


def test_others_fill_the_places_of_larger_tables_in_turn() -> None:
    """The last table takes entries that start another round, and their company changes from round to round."""
    assert list(tables(6, 4)) == [(0, 1, 2, 3), (0, 2, 4, 5)]
    assert list(tables(5, 3, rounds=2)) == [(0, 1, 2), (0, 3, 4), (0, 2, 3), (0, 1, 4)]
    assert list(tables(4, 4, rounds=2)) == [(0, 1, 2, 3)] * 2


@given(places=st.integers(2, 8), more=st.integers(0, 9), rounds=st.integers(1, 4), prefix=st.integers(0, 40))
def test_all_others_sit_at_an_equal_number_of_tables(places: int, more: int, rounds: int, prefix: int) -> None:
    """Any two differ by one table at most, and in the end each has sat `rounds` times or once more."""
    entries = places + more
    made = list(tables(entries, places, rounds))
    started = Counter(entry for table in islice(made, prefix) for entry in table)
    seats = Counter(entry for table in made for entry in table)
    counts = {seats[entry] for entry in range(1, entries)}

    assert all(len(set(table)) == places and list(table) == sorted(table) for table in made)
    assert seats[0] == len(made) == size(entries, places, rounds)
    assert min(counts) == rounds
    assert max(counts) <= rounds + 1
    assert (len(made) - 1) * (places - 1) < rounds * (entries - 1)
    assert max(started[entry] for entry in range(1, entries)) <= 1 + min(started[e] for e in range(1, entries))


@pytest.mark.parametrize("entries", [0, 1, 3])
def test_too_few_entries_make_no_table(entries: int) -> None:
    """Three entries do not fill four places."""
    assert list(tables(entries, 4)) == []
    assert size(entries, 4) == 0


def test_cost_is_the_number_of_tables_of_one_stage() -> None:
    """Tables per bot differ, so they are not given."""
    assert cost(10, 4, rounds=2) == ((StageSize(6),), None, None, None, None)
    assert cost(10, 4, rounds=2).tables == 6
    assert cost(10, 4).tables == size(10, 4) == 3
