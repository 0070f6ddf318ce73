"""Complete round robin."""

from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.formats.base import Cost, StageSize
from arena.tournament.formats.round_robin import cost, size, solitaire_replacements, tables


@given(entries=st.integers(0, 9), places=st.integers(1, 6), rounds=st.integers(1, 3))
def test_every_combination_meets_once_per_round(entries: int, places: int, rounds: int) -> None:
    """Rounds repeat the same order, and the number of tables is known in advance."""
    made = list(tables(entries, places, rounds))

    assert Counter(made) == dict.fromkeys(combinations(range(entries), places), rounds)
    assert len(made) == size(entries, places, rounds)
    assert made == sorted(made[: len(made) // rounds]) * rounds


def test_one_round_is_the_default() -> None:
    """Three bots at tables of two have three tables."""
    assert list(tables(3, 2)) == [(0, 1), (0, 2), (1, 2)]
    assert size(3, 2) == 3
    assert cost(3, 2).tables == 3


@given(entries=st.integers(2, 9), places=st.integers(2, 6), rounds=st.integers(1, 3))
def test_cost_matches_the_tables(entries: int, places: int, rounds: int) -> None:
    """Every pair meets equally often, and every entry sits equally often."""
    made = list(tables(entries, places, rounds))
    seats = Counter(entry for table in made for entry in table)
    meetings = Counter(pair for table in made for pair in combinations(table, 2))

    assert cost(entries, places, rounds) == Cost((StageSize(len(made)),), seats[0], meetings[0, 1])
    assert len(set(meetings.values())) <= 1
    assert len(set(seats.values())) <= 1


def test_too_few_entries_make_no_table() -> None:
    """Three entries do not fill four places."""
    assert list(tables(3, 4)) == []


def test_cancelled_solitaire_tables_are_replaced() -> None:
    """All entries still in sit at each missing table; fewer than two have nothing to compare."""
    assert solitaire_replacements([0, 2, 5], rounds=3, settled=1) == [(0, 2, 5)] * 2
    assert solitaire_replacements([0, 2], rounds=3, settled=2) == [(0, 2)]
    assert solitaire_replacements([0, 2], rounds=3, settled=3) == []
    assert solitaire_replacements([2], rounds=3, settled=1) == []
