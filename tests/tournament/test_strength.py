"""Strengths in game points."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament import strength
from arena.tournament.intervals import Sums
from arena.tournament.strength import Lead, Strength, strengths

Table = Mapping[int, int]
"""Game points by bot, over `MATCHES` matches."""
MATCHES = 4

TABLES = st.lists(
    st.dictionaries(st.integers(0, 7), st.integers(-50, 50), min_size=3, max_size=3), min_size=1, max_size=12
)


def fitted(tables: Iterable[Table]) -> dict[int, Strength]:
    """Fit the strengths of these tables."""
    leads: dict[tuple[int, int], Lead] = {}
    totals: dict[int, list[tuple[int, int]]] = {}
    for table in tables:
        for a, b in combinations(sorted(table), 2):
            points, matches = leads.get((a, b), (0, 0))
            leads[a, b] = Lead(points + table[a] - table[b], matches + MATCHES)
        for bot, points in table.items():
            lead = len(table) * points - sum(table.values())
            totals.setdefault(bot, []).append((lead, (len(table) - 1) * MATCHES))
    return strengths(leads, {bot: Sums.of(sums) for bot, sums in totals.items()})


def values(tables: Iterable[Table]) -> dict[int, float]:
    """Fit strengths without intervals."""
    return {bot: each.value for bot, each in fitted(tables).items()}


def drawn(rng: Random, truth: Sequence[float], tables: int, places: int = 4, noise: float = 20.0) -> list[Table]:
    """Draw tables of random bots that score by strength and luck."""
    return [
        {bot: round(MATCHES * truth[bot] + rng.gauss(0, noise)) for bot in rng.sample(range(len(truth)), places)}
        for _ in range(tables)
    ]


def test_no_pairs_give_no_strengths() -> None:
    """Without pairs there is nothing to fit."""
    assert strengths({}, {}) == {}


def test_two_bots_are_half_their_lead_from_zero() -> None:
    """A lead of 12 points in four matches is 1.5 per match either way."""
    assert values([{3: 20, 5: 8}]) == {3: pytest.approx(1.5), 5: pytest.approx(-1.5)}


def test_weak_opponents_are_no_advantage() -> None:
    """Bots with equal leads over opponents of different strength differ in strength."""
    exact = [{0: 40, 1: 20}, {1: 20, 2: 0}, {2: 0, 3: -20}]

    found = values(exact)

    assert [found[bot] - found[bot + 1] for bot in range(3)] == pytest.approx([5.0] * 3)


def test_average_seat_has_strength_zero() -> None:
    """Bots count by the number of their tables."""
    found = values([{0: 8, 1: 0}, {0: 8, 1: 0}, {0: 8, 1: 0}, {1: 0, 2: -16}])

    assert sum(found[bot] * tables for bot, tables in ((0, 3), (1, 4), (2, 1))) == pytest.approx(0)


def test_unconnected_bots_are_separate_fields() -> None:
    """No tables compare the first two with the others."""
    assert values([{0: 8, 4: 0}, {1: 80, 2: 0}]) == pytest.approx({0: 1.0, 4: -1.0, 1: 10.0, 2: -10.0})


@given(tables=TABLES, seed=st.integers(0, 99))
def test_order_of_tables_changes_no_bit(tables: list[Table], seed: int) -> None:
    """The fit depends only on sums."""
    shuffled = tables.copy()
    Random(seed).shuffle(shuffled)

    assert fitted(shuffled) == fitted(tables)


@given(tables=TABLES)
def test_fit_is_least_squares(tables: list[Table]) -> None:
    """Over all its tables, a bot's lead equals the lead that the strengths predict."""
    found = values(tables)

    for bot in found:
        mine = [table for table in tables if bot in table]
        lead = sum(table[bot] - table[other] for table in mine for other in table)
        explained = sum(MATCHES * (found[bot] - found[other]) for table in mine for other in table)
        assert explained == pytest.approx(lead, abs=1e-6)


def test_no_interval_without_two_different_tables() -> None:
    """Identical tables must not pass for certainty."""
    assert [each.reach for each in fitted([{0: 8, 1: 0}]).values()] == [None, None]
    assert [each.reach for each in fitted([{0: 8, 1: 0}] * 5).values()] == [None, None]


@pytest.mark.parametrize(("bots", "places"), [(2, 2), (4, 4), (5, 4), (12, 4), (12, 2)])
def test_intervals_cover_the_true_strength(bots: int, places: int) -> None:
    """About 95 % do, in small and large fields."""
    rng, held = Random(bots * places), []
    truth = [bot - (bots - 1) / 2 for bot in range(bots)]
    for _ in range(3000 // bots):
        found = fitted(drawn(rng, truth, 10 * bots // places, places))
        held += [abs(each.value - truth[bot]) <= each.reach for bot, each in found.items() if each.reach]

    assert fmean(held) == pytest.approx(0.96, abs=0.025)


def test_fit_takes_a_bounded_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounding errors cannot make it run forever."""
    monkeypatch.setattr(strength, "STEPS", 0)

    assert values([{0: 8, 1: 0}]) == {0: 0.0, 1: 0.0}


def test_opponents_count_as_known_in_large_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals change little, and strengths do not change."""
    assert strength.EXACT == 200
    tables = drawn(Random(7), [0.0] * 30, 300)
    exact = fitted(tables)
    monkeypatch.setattr(strength, "EXACT", 30)
    assert fitted(tables) == exact
    monkeypatch.setattr(strength, "EXACT", 29)
    quick = fitted(tables)
    assert quick != exact

    for bot, each in exact.items():
        assert quick[bot].value == each.value
        assert quick[bot].reach == pytest.approx(each.reach, rel=0.1)
