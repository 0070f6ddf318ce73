"""Circles: every bot sits equally often directly before and directly after every other."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.tournament.circles import Circles, added, circle
from arena.tournament.formats.balanced import balanced
from arena.tournament.formats.base import Table
from arena.tournament.formats.comparison import tables as comparison
from arena.tournament.formats.round_robin import tables as round_robin
from arena.tournament.seatings import BOTH, ROTATIONS, SEATINGS, kept

SEED = bytes(range(32))


def seated(tables: Iterable[Table], seed: bytes = SEED, kept: int = 0) -> list[Table]:
    """Seat tables in order."""
    circles = Circles(seed, kept)
    return [circles.seat(number, table) for number, table in enumerate(tables)]


def following(tables: Iterable[Table]) -> Counter[tuple[int, int]]:
    """Count for each ordered pair of entries how often the second sat directly after the first."""
    return Counter(pair for table in tables for pair in zip(table, [*table[1:], *table[:1]], strict=True))


def imbalances(tables: list[Table]) -> Iterator[int]:
    """Yield for each pair the difference between sitting directly before and directly after each other."""
    counts = following(tables)
    return (abs(counts[a, b] - counts[b, a]) for a, b in combinations(sorted({*sum(tables, ())}), 2))


@pytest.mark.parametrize(("entries", "places", "meetings"), [(13, 4, 6), (16, 4, 6), (9, 3, 2), (7, 3, 4)])
def test_pairs_of_these_designs_are_balanced_exactly(entries: int, places: int, meetings: int) -> None:
    """Two bots sit equally often at every distance."""
    tables = list(balanced(entries, places, meetings).tables())
    counts = following(seated(tables))
    met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))

    assert all(counts[a, b] * (places - 1) == counts[b, a] * (places - 1) == met[a, b] for a, b in met)


@pytest.mark.parametrize(("entries", "places"), [(8, 4), (16, 4), (20, 3), (9, 5), (9, 6), (10, 8)])
def test_pairs_of_a_complete_round_robin_are_balanced(entries: int, places: int) -> None:
    """No pair is off by more than two. In ascending order entry 0 always sits directly before entry 1."""
    tables = list(round_robin(entries, places))
    circled = seated(tables)

    assert max(imbalances(tables)) == comb(entries - 2, places - 2)
    assert max(imbalances(circled)) <= 2
    assert [sorted(table) for table in circled] == list(map(list, tables))


@pytest.mark.parametrize(("entries", "places", "meetings"), [(25, 4, 3), (21, 5, 6), (16, 6, 4), (28, 4, 2)])
def test_pairs_of_other_balanced_round_robins_are_balanced(entries: int, places: int, meetings: int) -> None:
    """No pair is off by more than two."""
    assert max(imbalances(seated(balanced(entries, places, meetings).tables()))) <= 2


@pytest.mark.no_cover  # other tests run the same lines; coverage makes this three times as slow
@settings(max_examples=30, deadline=None)
@given(rng=st.randoms(use_true_random=False), entries=st.integers(5, 20), places=st.integers(3, 5))
def test_pairs_stay_balanced_at_any_tables(rng: Random, entries: int, places: int) -> None:
    """This holds at any time, for tables such as those of a ladder or a Swiss tournament."""
    tables = [tuple(rng.sample(range(entries), places)) for _ in range(200)]

    for count in (10, 50, 200):
        assert max(imbalances(seated(tables[:count]))) <= 4


@given(seed=st.binary(min_size=32, max_size=32), cut=st.integers(0, 40))
def test_places_do_not_depend_on_batches(seed: bytes, cut: int) -> None:
    """The excess is all that a later batch needs."""
    tables = list(round_robin(7, 4))
    whole, first = Circles(seed), Circles(seed)
    expected = [whole.seat(number, table) for number, table in enumerate(tables)]
    made = [first.seat(number, table) for number, table in enumerate(tables[:cut])]
    second = Circles(seed, excess=first.excess)
    made += [second.seat(number, table) for number, table in enumerate(tables[cut:], cut)]

    assert made == expected
    assert second.excess == whole.excess


def test_single_tables_have_every_order() -> None:
    """The order depends on the seed of the tournament, so the first entry has no advantage even at a single table."""
    orders = Counter(Circles(bytes([number % 256, number // 256] * 16)).seat(0, range(3)) for number in range(600))

    assert len(orders) == 6
    assert min(orders.values()) > 60


def test_compared_versions_keep_the_first_places() -> None:
    """The table plays both orders of the two, and the others are balanced."""
    tables = seated(comparison(range(2, 7), 4, 0, 60), kept=kept(BOTH))
    counts = following(tables)

    assert {table[:2] for table in tables} == {(0, 1)}
    assert all(abs(counts[1, entry] - counts[entry, 0]) <= 1 for entry in range(2, 7))
    assert max(abs(counts[a, b] - counts[b, a]) for a, b in combinations(range(2, 7), 2)) <= 1


def test_two_places_have_one_circle() -> None:
    """There is no excess to balance, and the first place is drawn."""
    circles = Circles(SEED)
    tables = [circles.seat(number, (0, 1)) for number in range(100)]

    assert not any(circles.excess.values())
    assert 30 < tables.count((0, 1)) < 70


def test_bot_joins_the_gap_with_the_least_excess() -> None:
    """Ties go to the first gap, counted from the bot that started the circle."""
    assert circle([4, 2, 7], {}) == (4, 7, 2)
    assert circle([4, 2, 7], {(4, 7): 1}) == (4, 2, 7)
    assert circle([4, 2, 7, 1], {(7, 2): 9}) == (4, 1, 2, 7)
    assert circle([0, 1, 2, 3], {}, 2) == (0, 1, 3, 2)
    assert dict(added((4, 2, 7, 1)))[4, 2] == 2
    assert dict(added((4, 2, 7, 1)))[2, 4] == -1


def test_only_comparisons_keep_places() -> None:
    """All other modes treat all places alike."""
    assert [kept(mode) for mode in SEATINGS] == [0] * len(SEATINGS)
    assert kept(ROTATIONS) == 0
    assert kept(BOTH) == 2
